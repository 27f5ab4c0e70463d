#include "freeplay/app/command_line.h"

int main(int argc, char** argv) { freeplay::leave(freeplay::run_command_line(argc, argv)); }
