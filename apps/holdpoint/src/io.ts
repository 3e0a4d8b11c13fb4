// The streams, environment and clock of the process, so that a test can replace them.

import { userInfo } from "node:os"
import { setImmediate } from "node:timers/promises"
import type { Runtime } from "@holdpoint/hub"
import { systemRuntime } from "@holdpoint/hub"

export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }
export type Screen = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

export interface Io {
  readonly stdin: Input
  readonly stdout: Screen
  readonly stderr: Screen
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** The machine's user. */
  readonly user: string
  readonly runtime: Runtime
  /** Aborts on SIGINT or SIGTERM: the command should end. */
  readonly signal: AbortSignal
}

export function createProcessIo(): Io {
  const { stdin, stdout, stderr, env } = process
  // `holdpoint pending | head -1` closes the pipe early. The rest of the output is then dropped without an error.
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error
    })
  }
  return {
    stdin,
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    user: userName(),
    runtime: systemRuntime,
    signal: onSignals(),
  }
}

/** Whether a person at the terminal can be asked. Prompts use standard error; standard output is for the answer. */
export function isInteractive({ stdin, stderr, env }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true && env.TERM !== "dumb"
}

/**
 * Waits one turn of the event loop, in which the terminal removes its prompt, so that it does not erase later output.
 */
export async function promptGone(): Promise<void> {
  await setImmediate()
}

/** The first signal ends the command in an orderly way; a second one exits immediately. */
function onSignals(): AbortSignal {
  const controller = new AbortController()
  const onSignal = (name: string): void => {
    if (controller.signal.aborted) process.exit(1)
    controller.abort(name)
  }
  // Not `once`: prompts end the process when they find no other listener.
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, onSignal)
  return controller.signal
}

/** The name of the machine's user, else USER: a container may run under a user id without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return process.env.USER ?? "me"
  }
}
