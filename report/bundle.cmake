# Puts the page, its style and its bundled script into one file that opens without a network.
#   cmake -DESBUILD=... -DTHREE=... -DDYGRAPHS=... -DSOURCE=report -DWORK=DIR -DRESULT=report.html -P bundle.cmake
function(esbuild entry result)
  execute_process(
    COMMAND ${ESBUILD} ${SOURCE}/${entry} --bundle --minify --format=iife --target=es2020 --charset=utf8
            --legal-comments=inline --log-level=warning --alias:three=${THREE}/three.module.js
            --alias:three-examples=${THREE}/examples/jsm --alias:dygraphs=${DYGRAPHS} --outfile=${WORK}/${result}
    RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "esbuild could not bundle ${SOURCE}/${entry}")
  endif()
endfunction()

file(MAKE_DIRECTORY ${WORK})
esbuild(main.js page.js)
esbuild(style.css page.css)
file(READ ${SOURCE}/index.html page)
file(READ ${WORK}/page.css style)
file(READ ${WORK}/page.js script)
# The script last: nothing in it is then taken for a place to fill in.
string(REPLACE "/*FREEPLAY-STYLE*/" "${style}" page "${page}")
string(REPLACE "/*FREEPLAY-SCRIPT*/" "${script}" page "${page}")
file(WRITE ${RESULT} "${page}")
