#include <cstdio>

int main() { return std::puts("weir " WEIR_VERSION) < 0 ? 1 : 0; }
