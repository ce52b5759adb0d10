"""What the demonstration site consists of, read from the folder itself."""

from served import SITE

MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".bmp": "image/bmp",
}


def site_files():
    """Every file of the site: its target in a request, and its bytes."""
    files = {f"/{path.relative_to(SITE)}": path.read_bytes() for path in sorted(SITE.rglob("*")) if path.is_file()}
    assert len(files) > 20, f"{SITE} is not the demonstration site"
    return files


def media_type(target):
    return MEDIA_TYPES[target[target.rindex("."):]]
