# `cmake --install` and the Debian package (tools/package). The program finds its libraries by its run path, and models,
# benchmarks and the page of reports in ../share/freeplay, so that the installed tree may be anywhere.
include(GNUInstallDirs)
set(FREEPLAY_LIBRARY_FOLDER lib/freeplay)
set(FREEPLAY_SHARED_FOLDER ${CMAKE_INSTALL_DATADIR}/freeplay)
set(FREEPLAY_PYTHON_FOLDER lib/python3/dist-packages CACHE STRING "Where Python looks for packages, below the prefix")

set_target_properties(freeplay PROPERTIES INSTALL_RPATH "$ORIGIN/../${FREEPLAY_LIBRARY_FOLDER}")
set_target_properties(freeplay_core freeplay_engine PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS freeplay RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS freeplay_core freeplay_engine LIBRARY DESTINATION ${FREEPLAY_LIBRARY_FOLDER})

install(DIRECTORY input/ DESTINATION ${FREEPLAY_SHARED_FOLDER}/examples FILES_MATCHING PATTERN "*.yaml")
# Benchmarks name their models by ../../input.
install(CODE "file(CREATE_LINK examples \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${FREEPLAY_SHARED_FOLDER}/input\" SYMBOLIC)")
install(DIRECTORY benchmarks DESTINATION ${FREEPLAY_SHARED_FOLDER}
  FILES_MATCHING PATTERN "*.yaml" PATTERN "*.csv" PATTERN "*.md")
# The page of `freeplay report`, if the build has made it.
install(FILES ${CMAKE_BINARY_DIR}/report.html DESTINATION ${FREEPLAY_SHARED_FOLDER} OPTIONAL)

install(DIRECTORY python/freeplay DESTINATION ${FREEPLAY_PYTHON_FOLDER} FILES_MATCHING PATTERN "*.py" PATTERN "py.typed")
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY doc/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg")
# Links of README.md say doc/.
install(CODE "file(CREATE_LINK . \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/doc\" SYMBOLIC)")
install(FILES python/tutorial.py DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The program describes itself.
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/freeplay.1.gz ${CMAKE_BINARY_DIR}/freeplay.bash
  COMMAND freeplay man > freeplay.1
  COMMAND gzip -9nf freeplay.1
  COMMAND freeplay completion > freeplay.bash
  DEPENDS freeplay VERBATIM WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
add_custom_target(freeplay_manual ALL DEPENDS ${CMAKE_BINARY_DIR}/freeplay.1.gz ${CMAKE_BINARY_DIR}/freeplay.bash)
install(FILES ${CMAKE_BINARY_DIR}/freeplay.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_BINARY_DIR}/freeplay.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME freeplay)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME freeplay)
set(CPACK_PACKAGE_CONTACT "The Freeplay project <freeplay@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulates mechanisms with clearance and friction in their joints")
set(CPACK_PACKAGE_DESCRIPTION "Rigid bodies and flexible beams, ideal joints with drives, joints with clearance and friction, springs, dampers
and loads, in space or in a plane. A model file goes in; motion, joint forces and an energy ledger come out: as tables,
pictures for ParaView, and in Python.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Ours are in a folder that the linker does not know; only our own program uses them.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_DEPENDS gnuplot-nox) # draws for `freeplay plot`
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
  "python3, python3-numpy, python3-xarray, python3-netcdf4, python3-pandas, python3-matplotlib, openmpi-bin")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "paraview")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/cmake/debian/postinst ${CMAKE_SOURCE_DIR}/cmake/debian/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
include(CPack)
