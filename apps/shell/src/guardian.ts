// Ends the scripts of a server that was killed. A small shell process outside of the server's process group has the
// list of running process groups, and kills those that are still listed when its standard input ends.

import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"

export interface Guardian {
  /** Adds a process group that must not outlive the server, and the variable by which those that left it are known. */
  add(group: number, variable: string): void
  remove(group: number): void
  /** Ends the guardian. Must be called when all groups have ended. */
  close(): void
}

/** Creates a guardian, which also removes `folder`. Its shell process starts with the first group. */
export function createGuardian(folder: string, report: (activity: string, error: unknown) => void): Guardian {
  let child: ChildProcess | undefined
  const start = (): ChildProcess => {
    const guardianProcess = spawn("/bin/sh", ["-c", watchScript, "holdpoint-guardian", folder], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
      cwd: "/",
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
    })
    guardianProcess.on("error", (error) => report("watching over scripts", error))
    // A write fails when the guardian was killed. Scripts then end with the server only if the server shuts down
    // normally.
    guardianProcess.stdin?.on("error", (error) => report("watching over scripts", error))
    guardianProcess.unref()
    ;(guardianProcess.stdin as unknown as { unref?(): void }).unref?.()
    return guardianProcess
  }
  const write = (line: string): void => {
    child ??= start()
    child.stdin?.write(`${line}\n`)
  }
  return {
    add: (group, variable) => write(`+ ${group} ${variable}`),
    remove: (group) => write(`- ${group} `),
    close() {
      child?.stdin?.end()
    },
  }
}

/** The guardian's program, in POSIX shell. It ignores the signals that end a server. */
const watchScript = `
folder=$1
trap '' HUP INT TERM
set --
while read -r operation group variable; do
  if [ "$operation" = + ]; then
    set -- "$@" "$group $variable"
  else
    for listed in "$@"; do
      shift
      [ "\${listed%% *}" = "$group" ] || set -- "$@" "$listed"
    done
  fi
done
if [ "$#" -gt 0 ]; then
  for listed in "$@"; do kill -TERM "-\${listed%% *}"; done
  sleep 1
  for listed in "$@"; do
    kill -KILL "-\${listed%% *}"
    # Again until none is left, because a process may start others meanwhile.
    for attempt in 1 2 3 4 5 6 7 8 9 10; do
      found=
      for process in /proc/[0-9]*; do
        if grep -qsF -- "\${listed#* }" "$process/environ"; then
          kill -KILL "\${process#/proc/}"
          found=yes
        fi
      done
      [ -n "$found" ] || break
    done
  done
fi
rm -rf -- "$folder"
`
