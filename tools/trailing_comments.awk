# Doxygen reads `///` before a member. This gives it the comments behind a member, too: `int size;  // in bytes`.
/[;,{}][ ]+\/\/ / && !/\/\/\// { sub(/\/\/ /, "///< "); is_behind = 1; print; next }
is_behind && /^ +\/\/ / && !/\/\/ --/ { sub(/\/\/ /, "///< "); print; next }
{ is_behind = 0; print }
