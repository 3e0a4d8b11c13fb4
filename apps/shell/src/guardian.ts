// Ends the scripts of a server that was killed. A small shell process outside of the server's process group knows the
// groups that are alive, and kills them when its standard input ends without them having been taken off the list.

import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"

export interface Guardian {
  /** The process group must not outlive the server. */
  add(group: number): void
  remove(group: number): void
  /** Call it when all groups have ended. */
  close(): void
}

/** `folder` is removed, too. The shell process is started with the first group. */
export function createGuardian(folder: string, report: (doing: string, error: unknown) => void): Guardian {
  let child: ChildProcess | undefined
  const start = (): ChildProcess => {
    const started = spawn("/bin/sh", ["-c", watchWords, "holdpoint-guardian", folder], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
      cwd: "/",
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
    })
    started.on("error", (error) => report("watching over scripts", error))
    // Writing to a guardian that was killed: the scripts still end with the server when it ends in order.
    started.stdin?.on("error", (error) => report("watching over scripts", error))
    started.unref()
    ;(started.stdin as unknown as { unref?(): void }).unref?.()
    return started
  }
  const tell = (line: string): void => {
    child ??= start()
    child.stdin?.write(`${line}\n`)
  }
  return {
    add: (group) => tell(`+ ${group}`),
    remove: (group) => tell(`- ${group}`),
    close() {
      child?.stdin?.end()
    },
  }
}

/** POSIX shell. Signals for the server's group do not reach it. */
const watchWords = `
folder=$1
trap '' HUP INT TERM
set --
while read -r what group; do
  if [ "$what" = + ]; then
    set -- "$@" "$group"
  else
    for one in "$@"; do
      shift
      [ "$one" = "$group" ] || set -- "$@" "$one"
    done
  fi
done
if [ "$#" -gt 0 ]; then
  for group in "$@"; do kill -TERM "-$group"; done
  sleep 1
  for group in "$@"; do kill -KILL "-$group"; done
fi
rm -rf -- "$folder"
`
