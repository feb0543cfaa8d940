# Runs while installing, when the prefix is settled: the unit, and the configuration.
# In: source, bindir, sysconfdir, unitdir (absolute, or below the prefix).
function(below_prefix variable)
    cmake_path(ABSOLUTE_PATH ${variable} BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
    set(${variable} "${${variable}}" PARENT_SCOPE)
endfunction()

if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND sysconfdir STREQUAL "etc")
    set(sysconfdir /etc) # as GNUInstallDirs has it
endif()
below_prefix(bindir)
below_prefix(sysconfdir)
below_prefix(unitdir)

set(unit "$ENV{DESTDIR}${unitdir}/fftd.service")
message(STATUS "Installing: ${unit}")
configure_file("${source}/systemd/fftd.service.in" "${unit}" @ONLY)

# A configuration that is there already is its owner's; the new one lies among the examples.
set(conf "$ENV{DESTDIR}${sysconfdir}/fftd/fftd.conf")
if(EXISTS "${conf}")
    message(STATUS "Kept: ${conf}")
else()
    file(INSTALL "${source}/config/fftd.conf" DESTINATION "${sysconfdir}/fftd"
         PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endif()
