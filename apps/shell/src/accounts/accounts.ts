// The accounts that one running script may use, each behind a socket that is open as long as the script runs.

import type { ConnectionHandle } from "@holdpoint/accounts"
import type { Answer } from "../answer.ts"
import { unsupported } from "../answer.ts"
import type { CallFolder } from "../exchange/call-folder.ts"
import type { AccountProxy } from "./proxy.ts"
import { openAccountProxy } from "./proxy.ts"

export interface Accounts {
  /** How many times the script has received the account of this name: it may request a lost account again. */
  timesGiven(name: string): number
  /** The answer that hands the account to the script. */
  give(name: string, handle: ConnectionHandle): Promise<Answer>
  close(): void
}

/** The longest path of a socket, in bytes, on the systems with the lowest limit. */
const maxSocketPathBytes = 103

export function createAccounts(folder: CallFolder): Accounts {
  const timesGiven = new Map<string, number>()
  const proxies = new Map<string, { readonly socket: string; readonly proxy: Promise<AccountProxy> }>()
  let isClosed = false

  const open = (handle: ConnectionHandle): { readonly socket: string; readonly proxy: Promise<AccountProxy> } => {
    const socket = folder.file(`a${proxies.size + 1}.sock`)
    const entry = { socket, proxy: openAccountProxy(socket, handle) }
    proxies.set(handle.id, entry)
    return entry
  }

  return {
    timesGiven: (name) => timesGiven.get(name) ?? 0,
    async give(name, handle) {
      if (isClosed) return unsupported("The script has ended.")
      if (Buffer.byteLength(folder.file("a999.sock")) > maxSocketPathBytes)
        return unsupported(
          `The folder of this call, ${folder.path}, has too long a path for a socket. Set TMPDIR to a shorter path.`,
        )
      const { socket, proxy } = proxies.get(handle.id) ?? open(handle)
      ;(await proxy).use(handle)
      timesGiven.set(name, (timesGiven.get(name) ?? 0) + 1)
      const { provider, account, scopes, api } = handle
      const content = { provider, account: account?.name ?? account?.id ?? null, scopes, api, socket }
      return { action: "accept", content }
    },
    close() {
      isClosed = true
      for (const { proxy } of proxies.values()) proxy.then(({ close }) => close()).catch(() => {})
    },
  }
}
