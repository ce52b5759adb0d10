# A flake for Nix: `nix build` makes ./result/bin/weir, and `nix run . -- serve FOLDER` serves a folder.
{
  description = "HTTP server whose concurrency architecture is a switch";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      forEachSystem = nixpkgs.lib.genAttrs [ "x86_64-linux" "aarch64-linux" ];
      packageFor = pkgs: pkgs.stdenv.mkDerivation {
        pname = "weir";
        version = "0.5.0";
        src = self;
        nativeBuildInputs = [ pkgs.cmake pkgs.ninja ];
        buildInputs = with pkgs; [
          asio
          brotli
          cli11
          cmark-gfm
          expat
          libarchive
          libdeflate
          libxcrypt
          nlohmann_json
          openssl
          qrencode
          tomlplusplus
          zlib
          zstd
        ];
        cmakeFlags = [
          "-DCMAKE_INSTALL_LIBDIR=lib"
          "-DCMAKE_INSTALL_INCLUDEDIR=include"
          "-DWEIR_BUILD_CLI=ON"
          "-DWEIR_BUILD_TESTS=OFF"
          "-DWEIR_WITH_GLOG=OFF"
          "-DWEIR_WITH_SPDLOG=OFF"
        ];
        meta = {
          description = "HTTP server whose concurrency architecture is a switch";
          license = nixpkgs.lib.licenses.mit;
          mainProgram = "weir";
          platforms = nixpkgs.lib.platforms.linux;
        };
      };
    in
    {
      packages = forEachSystem (system: {
        default = packageFor nixpkgs.legacyPackages.${system};
      });
    };
}
