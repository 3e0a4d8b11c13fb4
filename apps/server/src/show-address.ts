// Shows the person at this machine an address past the program that asks: in their browser, else on their terminal. The
// address holds a key, so it goes to no log and to no other stream.

import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import type { ShowAddress } from "@holdpoint/sdk/identity"
import type { Call } from "./command.ts"
import type { Settings } from "./config.ts"

export interface Desk {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

type Command = readonly [program: string, ...args: string[]]

/** Absent where neither is there: a link alone has to be enough then. */
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

/** What opens an address on the screen that the person looks at. Undefined where there is none. */
export function browserOf({ env, platform }: Desk): Command | undefined {
  const isUnattended = ["CI", "VITEST", "SSH_CONNECTION"].some((name) => env[name])
  if (isUnattended) return undefined
  if (platform === "darwin") return ["open"]
  // Not `start`, which is of the shell: it would read what stands behind & as a command.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"]
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open"] : undefined
}

/** Whether it was started and has not failed soon: some stay until the browser is closed. */
async function run([program, ...args]: Command): Promise<boolean> {
  // Loaded here: a client waits for the start of this process, and most never need it.
  const { spawn } = await import("node:child_process")
  const child = spawn(program, args, { stdio: "ignore", detached: true })
  child.unref()
  const ended = once(child, "exit").then(
    ([code]) => code === 0,
    () => false,
  )
  return Promise.race([ended, setTimeout(patienceMs, true, { ref: false })])
}

const patienceMs = 3_000
