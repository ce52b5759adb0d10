"""Paints the demonstration site's raster images: light on the bed of a shallow stream, and the icon as PNG.

Needs numpy and Pillow, in an environment of their own; the results are checked in. Deterministic by its seed.
"""

from pathlib import Path

import numpy
from PIL import Image, ImageDraw, ImageFilter

IMAGES = Path(__file__).resolve().parents[3] / "www" / "images"
WIDTH, HEIGHT = 512, 288
DEEP, SHALLOW, GLINT = (10, 44, 58), (74, 150, 170), (250, 247, 226)


def bed_light(scale, rays):
    """Where light falls after a rippled surface bent it: count the rays that reach each pixel of the bed."""
    random = numpy.random.default_rng(8)
    x, y = numpy.meshgrid(numpy.arange(-60, WIDTH + 60, 1 / rays), numpy.arange(-60, HEIGHT + 60, 1 / rays))
    bend_x, bend_y = numpy.zeros_like(x), numpy.zeros_like(y)
    for _ in range(22):
        length, angle, phase = random.uniform(34, 150), random.normal(.5, .8), random.uniform(0, 2 * numpy.pi)
        kx, ky = numpy.cos(angle) * 2 * numpy.pi / length, numpy.sin(angle) * 2 * numpy.pi / length
        slope = numpy.cos(kx * x + ky * y + phase) * length * .016
        bend_x += slope * kx * length / 3
        bend_y += slope * ky * length / 3
    light, _, _ = numpy.histogram2d((y + bend_y * 2.2).ravel(), (x + bend_x * 2.2).ravel(), bins=(HEIGHT * scale, WIDTH * scale), range=((0, HEIGHT), (0, WIDTH)))
    return light * (scale / rays) ** 2


def palette():
    steps = numpy.linspace(0, 1, 128)[:, None]
    return numpy.concatenate([(1 - steps) * DEEP + steps * SHALLOW, (1 - steps) * SHALLOW + steps * GLINT]).round().astype("uint8")


def water(scale=1, rays=8):
    shade = numpy.clip(numpy.log1p(bed_light(scale, rays * scale)) / numpy.log(7), 0, 1)
    image = Image.fromarray((shade * 255).astype("uint8")).filter(ImageFilter.GaussianBlur(.7 * scale))
    image.putpalette(palette().ravel().tolist())
    return image


def icon(size=192):
    large = Image.new("RGB", (size * 4, size * 4), "#16242b")
    pen = ImageDraw.Draw(large)
    scale = size / 16
    pen.polygon([(17 * scale, 27 * scale), (47 * scale, 27 * scale), (32 * scale, 52 * scale)], fill="#86c9e0")
    points = [(10 * scale, 15 * scale), (32 * scale, 52 * scale), (54 * scale, 15 * scale)]
    pen.line(points, fill="#fbf8ef", width=round(6 * scale), joint="curve")
    for x, y in points:
        pen.ellipse([x - 3 * scale, y - 3 * scale, x + 3 * scale, y + 3 * scale], fill="#fbf8ef")
    return large.resize((size, size), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    water().save(IMAGES / "water.bmp")
    water(scale=2).convert("RGB").save(IMAGES / "water.jpg", quality=80, optimize=True, progressive=True)
    icon().save(IMAGES / "icon.png", optimize=True)
