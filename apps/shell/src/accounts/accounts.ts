// The accounts that one running script was given. Their sockets live as long as the script.

import type { ConnectionHandle } from "@holdpoint/sdk/vault"
import type { Answer } from "../answer.ts"
import { unsupported } from "../answer.ts"
import type { CallFolder } from "../exchange/call-folder.ts"
import type { AccountProxy } from "./proxy.ts"
import { openAccountProxy } from "./proxy.ts"

export interface Accounts {
  /** How often the script was given what it asked for under this name: a lost account is asked for again. */
  given(name: string): number
  /** The answer that hands the account to the script. */
  give(name: string, handle: ConnectionHandle): Promise<Answer>
  close(): void
}

/** The longest path of a socket on the systems that allow least. */
const mostInPath = 103

export function createAccounts(folder: CallFolder): Accounts {
  const given = new Map<string, number>()
  const proxies = new Map<string, { readonly socket: string; readonly proxy: Promise<AccountProxy> }>()
  let isClosed = false

  const open = (handle: ConnectionHandle): { readonly socket: string; readonly proxy: Promise<AccountProxy> } => {
    const socket = folder.file(`a${proxies.size + 1}.sock`)
    const opened = { socket, proxy: openAccountProxy(socket, handle) }
    proxies.set(handle.id, opened)
    return opened
  }

  return {
    given: (name) => given.get(name) ?? 0,
    async give(name, handle) {
      if (isClosed) return unsupported("The script has ended.")
      if (Buffer.byteLength(folder.file("a999.sock")) > mostInPath)
        return unsupported(
          `The folder of this call, ${folder.path}, is too long for a socket. Set TMPDIR to a shorter one.`,
        )
      const { socket, proxy } = proxies.get(handle.id) ?? open(handle)
      ;(await proxy).use(handle)
      given.set(name, (given.get(name) ?? 0) + 1)
      const { provider, account, scopes, api } = handle
      const content = { provider, account: account?.name ?? account?.id ?? null, scopes, api, socket }
      return { action: "accept", content }
    },
    close() {
      isClosed = true
      for (const { proxy } of proxies.values()) proxy.then((one) => one.close()).catch(() => {})
    },
  }
}
