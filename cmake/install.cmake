# What `cmake --install` puts in place. The page is inside the binary.
set(FFTD_UNIT_DIR lib/systemd/system CACHE STRING "Where systemd's units go")
set(FFTD_SYSUSERS_DIR lib/sysusers.d CACHE STRING "Where sysusers.d fragments go")
set(FFTD_UDEV_DIR lib/udev/rules.d CACHE STRING "Where udev's rules go")
set(FFTD_ZSH_DIR share/zsh/site-functions CACHE STRING "Where zsh's completions go")

if(TARGET fftd)
    install(TARGETS fftd RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES ${CMAKE_SOURCE_DIR}/systemd/fftd.socket DESTINATION ${FFTD_UNIT_DIR})
install(FILES ${CMAKE_SOURCE_DIR}/systemd/60-fftd.rules DESTINATION ${FFTD_UDEV_DIR})
install(FILES ${CMAKE_SOURCE_DIR}/systemd/fftd.sysusers DESTINATION ${FFTD_SYSUSERS_DIR}
        RENAME fftd.conf)
# What fftd --completion prints, committed as the man pages are.
set(completions ${CMAKE_SOURCE_DIR}/config/completions)
install(FILES ${completions}/bash DESTINATION share/bash-completion/completions RENAME fftd)
install(FILES ${completions}/zsh DESTINATION ${FFTD_ZSH_DIR} RENAME _fftd)
install(FILES ${completions}/fish DESTINATION share/fish/vendor_completions.d RENAME fftd.fish)
# Documents link to each other, and to none that stays in the source tree (tests/docs/links.test.mjs).
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/README.md
        ${CMAKE_SOURCE_DIR}/ARCHITECTURE.md ${CMAKE_SOURCE_DIR}/CHANGELOG.md
        ${CMAKE_SOURCE_DIR}/CONTRIBUTING.md ${CMAKE_SOURCE_DIR}/SECURITY.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/bench/results DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)
install(FILES ${CMAKE_SOURCE_DIR}/config/fftd.conf
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
# Not active: they open devices to the service.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/systemd/drop-ins/
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/systemd)

# The unit and the configuration depend on the prefix, which is known only when installing.
install(CODE "
    set(source \"${CMAKE_SOURCE_DIR}\")
    set(bindir \"${CMAKE_INSTALL_BINDIR}\")
    set(sysconfdir \"${CMAKE_INSTALL_SYSCONFDIR}\")
    set(unitdir \"${FFTD_UNIT_DIR}\")")
install(SCRIPT ${CMAKE_SOURCE_DIR}/cmake/install_settled.cmake)
