// What clients say of themselves, fetched from their own address (draft-ietf-oauth-client-id-metadata-document). While that
// address is out of order, what it said last counts for a while: nobody is signed out because another's host is down.

import { readText } from "../../fetching/body.ts"
import type { Fetch } from "../../ports/fetch.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { ArtifactStore } from "./artifact-store.ts"
import { createPace } from "./registration.ts"

export interface DocumentOptions {
  /** Fetched in this process, and as many of programs that somebody has allowed. 60 unless said otherwise. */
  readonly perMinute?: number
  /** 5,120 unless said otherwise. */
  readonly maxBytes?: number
  /** However long its headers say that it may be kept. Half a minute to a day unless said otherwise. */
  readonly cacheSeconds?: { readonly min: number; readonly max: number }
  /** Hosts whose documents are taken. All unless said otherwise. */
  readonly hosts?: readonly string[]
}

export const defaultDocuments = { perMinute: 60, maxBytes: 5_120, cacheSeconds: { min: 30, max: 86_400 } }

export interface Documents {
  /** Never follows a redirect: that would be another address than the client's. */
  readonly fetch: Fetch
  /** Of a client that somebody has allowed: from now on, what it said last is known here. Others would fill the store. */
  keep(clientId: string, said: object): Promise<void>
}

const kind = "Document"
const staleMs = 7 * 24 * 3_600_000

export function createDocuments(
  fetch: Fetch,
  artifacts: ArtifactStore,
  runtime: Runtime,
  { perMinute, maxBytes }: Pick<typeof defaultDocuments, "perMinute" | "maxBytes">,
): Documents {
  // Apart from each other, so that strangers who ask for one address after the other end no program that is in use.
  const isTooOften = { strange: createPace(perMinute, runtime), kept: createPace(perMinute, runtime) }
  const write = (address: string, text: string): Promise<void> =>
    artifacts.write(kind, address, { text }, { expiresAt: runtime.now() + staleMs })
  const lastOf = async (address: string): Promise<Response | undefined> => {
    const { text } = (await artifacts.read(kind, address))?.payload ?? {}
    return typeof text === "string" ? new Response(text) : undefined
  }

  return {
    async fetch(input, { headers, signal } = {}) {
      const address = String(input)
      const last = await lastOf(address)
      if (isTooOften[last === undefined ? "strange" : "kept"]()) return last ?? new Response(null, { status: 503 })
      const given = { ...(headers === undefined ? {} : { headers }), ...(signal === undefined ? {} : { signal }) }
      const response = await fetch(address, { ...given, redirect: "manual" }).catch(() => undefined)
      if (response === undefined || response.status >= 500) {
        await response?.body?.cancel()
        return last ?? new Response(null, { status: 502 })
      }
      // Taken away: what it said last does not count either.
      if (last !== undefined && (response.status === 404 || response.status === 410))
        await artifacts.remove(kind, address)
      if (response.status !== 200) {
        await response.body?.cancel()
        return new Response(null, { status: response.status })
      }
      const text = await readText(response, maxBytes)
      if (text === undefined) {
        await response.body?.cancel()
        throw new Error(`The document is larger than ${maxBytes} bytes.`)
      }
      const answer = new Response(text, { headers: response.headers })
      if (last === undefined) return answer
      // A page that says “back soon” is no document.
      if (!(await isJson(answer.clone()))) return last
      await write(address, text)
      return answer
    },
    keep: (clientId, said) => write(clientId, JSON.stringify(said)),
  }
}

const isJson = (response: Response): Promise<boolean> =>
  response.json().then(
    () => true,
    () => false,
  )
