// Shows an address to the person at this machine without going through the program that asks: in their browser, else on
// their terminal. The address contains a key, so it must not reach a log or another stream.

import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import type { ShowAddress } from "@holdpoint/server/identity"
import type { Call } from "./command.ts"
import type { Settings } from "./config.ts"

export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

type Command = readonly [program: string, ...args: string[]]

/** Returns `{}` when there is neither a browser nor a terminal; then local mode accepts a link without a key. */
export function showAddress({ io, out }: Call, { openBrowser }: Settings): { readonly show?: ShowAddress } {
  const command = openBrowser ? browserOf({ env: io.env, platform: process.platform }) : undefined
  const isTerminal = io.stderr.isTTY === true
  if (command === undefined && !isTerminal) return {}
  return {
    async show(address) {
      if (command !== undefined && (await run([...command, address]))) return true
      if (isTerminal) out.note("Open this in your browser, once: ", address)
      return isTerminal
    },
  }
}

/** Opens an address in the person's browser. Returns false if the screen is missing or the browser failed to start. */
export async function openInBrowser(machine: Machine, address: string): Promise<boolean> {
  const command = browserOf(machine)
  return command !== undefined && run([...command, address])
}

/** The command that opens an address on the person's screen. Undefined when there is none. */
export function browserOf({ env, platform }: Machine): Command | undefined {
  const isUnattended = ["CI", "VITEST", "SSH_CONNECTION"].some((name) => env[name])
  if (isUnattended) return undefined
  if (platform === "darwin") return ["open"]
  // Not `start`: it is built into cmd.exe, which would run the text after an & in the address as a command.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"]
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open"] : undefined
}

/** True when the program started and did not fail soon. Some programs run until the browser is closed. */
async function run([program, ...args]: Command): Promise<boolean> {
  // Imported here: a client waits for the start of this process, and most processes never open a browser.
  const { spawn } = await import("node:child_process")
  const child = spawn(program, args, { stdio: "ignore", detached: true })
  child.unref()
  const exit = once(child, "exit").then(
    ([code]) => code === 0,
    () => false,
  )
  return Promise.race([exit, setTimeout(failureWindowMs, true, { ref: false })])
}

const failureWindowMs = 3_000
