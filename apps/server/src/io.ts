// The world as the command sees it, so that a test can be one.

import { userInfo } from "node:os"
import { setImmediate } from "node:timers/promises"
import type { Runtime } from "@holdpoint/sdk"
import { systemRuntime } from "@holdpoint/sdk"

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
  /** Aborts when the person or the machine wants the command to end. */
  readonly signal: AbortSignal
}

export function createProcessIo(): Io {
  const { stdin, stdout, stderr, env } = process
  // `holdpoint pending | head -1` closes the pipe early: there is nobody left to tell.
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

/** Whether somebody sits there who can be asked. Standard output stays free for the answer. */
export function isInteractive({ stdin, stderr, env }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true && env.TERM !== "dumb"
}

/** A terminal takes its prompt away in the turn in which the question ends; what is printed in the next one stays. */
export async function promptGone(): Promise<void> {
  await setImmediate()
}

/** The first signal ends the command in good order, a second one at once. */
function onSignals(): AbortSignal {
  const controller = new AbortController()
  const stop = (name: string): void => {
    if (controller.signal.aborted) process.exit(1)
    controller.abort(name)
  }
  // Not `once`: prompts end the process when they find no other listener left.
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, stop)
  return controller.signal
}

/** A container may run under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return process.env.USER ?? "me"
  }
}
