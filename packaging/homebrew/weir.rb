# A formula for Homebrew on Linux, of the archive of the source that `./run package` puts into dist/. The formula lies in
# a tap: `brew tap-new weir/local`; copy this file into its folder Formula; then
#
#     HOMEBREW_WEIR_DIST="$PWD/dist" brew install --build-from-source weir/local/weir
class Weir < Formula
  desc "HTTP server whose concurrency architecture is a switch"
  homepage "https://weir.example/"
  url "file://#{ENV.fetch("HOMEBREW_WEIR_DIST", "/usr/local/src")}/weir-0.5.0.tar.gz"
  version "0.5.0"
  license "MIT"

  depends_on "asio" => :build
  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "tomlplusplus" => :build
  depends_on "brotli"
  depends_on "cmark-gfm"
  depends_on "expat"
  depends_on "libarchive"
  depends_on "libdeflate"
  depends_on "libxcrypt"
  depends_on :linux
  depends_on "openssl@3"
  depends_on "qrencode"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "cmake", "-S", ".", "-B", "build/brew", "-G", "Ninja", *std_cmake_args,
           "-DCMAKE_INSTALL_LIBDIR=lib", "-DWEIR_BUILD_CLI=ON", "-DWEIR_BUILD_TESTS=OFF",
           "-DWEIR_WITH_GLOG=OFF", "-DWEIR_WITH_SPDLOG=OFF"
    system "cmake", "--build", "build/brew"
    system "cmake", "--install", "build/brew"
  end

  test do
    assert_match "weir #{version}", shell_output("#{bin}/weir --version")
  end
end
