// The world as the command sees it, so that a test can be one.

import { userInfo } from "node:os"
import type { Runtime } from "holdpoint"
import { systemRuntime } from "holdpoint"

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
  return { stdin, stdout, stderr, env, cwd: process.cwd(), user: userName(), runtime: systemRuntime, signal: onSignals() }
}

/** Whether somebody sits there who can be asked. Standard output stays free for the answer. */
export function isInteractive({ stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true
}

/** The first signal ends the command in good order, a second one at once. */
function onSignals(): AbortSignal {
  const controller = new AbortController()
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort(name))
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
