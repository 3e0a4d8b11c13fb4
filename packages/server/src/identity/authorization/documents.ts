// Fetches client metadata documents (draft-ietf-oauth-client-id-metadata-document). While a document's host is down,
// its last version stays valid for a while, so that people are not signed out.

import { readText } from "@holdpoint/fetching/internal"
import type { Runtime } from "@holdpoint/hub"
import type { Fetch } from "@holdpoint/hub/internal"
import { createRateLimit } from "../rate-limit.ts"
import type { ArtifactStore } from "./artifact-store.ts"

/** Limits for programs whose client id is the address of a metadata document. */
export interface DocumentOptions {
  /** Fetches per minute and process, counted separately for clients with a consent. Default: 60. */
  readonly perMinute?: number
  /** The most bytes of a document. Default: 5,120. */
  readonly maxBytes?: number
  /** Bounds for the cache lifetime from the response headers. Default: half a minute to a day. */
  readonly cacheSeconds?: { readonly min: number; readonly max: number }
  /** Hosts whose documents are accepted. Default: all. */
  readonly hosts?: readonly string[]
}

export const defaultDocuments = { perMinute: 60, maxBytes: 5_120, cacheSeconds: { min: 30, max: 86_400 } }

export interface Documents {
  /** Fetches documents. Never follows a redirect, which would lead away from the client's own address. */
  readonly fetch: Fetch
  /**
   * Stores the document of a client with a consent, as a fallback. Others are not stored, since they could fill the
   * store.
   */
  keep(clientId: string, metadata: object): Promise<void>
}

const kind = "Document"
const staleMs = 7 * 24 * 3_600_000

export function createDocuments(
  fetch: Fetch,
  artifacts: ArtifactStore,
  runtime: Runtime,
  { perMinute, maxBytes }: Pick<typeof defaultDocuments, "perMinute" | "maxBytes">,
): Documents {
  // Two limits, so that requests for unknown clients do not use up the limit of clients in use.
  const isTooOften = { strange: createRateLimit(perMinute, runtime), kept: createRateLimit(perMinute, runtime) }
  const write = (address: string, text: string): Promise<void> =>
    artifacts.write(kind, address, { text }, { expiresAt: runtime.now() + staleMs })
  const lastOf = async (address: string): Promise<Response | undefined> => {
    const { text } = (await artifacts.read(kind, address))?.payload ?? {}
    return typeof text === "string" ? new Response(text) : undefined
  }

  return {
    async fetch(input, { headers, signal } = {}) {
      const address = String(input)
      const lastDocument = await lastOf(address)
      if (isTooOften[lastDocument === undefined ? "strange" : "kept"]())
        return lastDocument ?? new Response(null, { status: 503 })
      const fetchOptions = {
        ...(headers === undefined ? {} : { headers }),
        ...(signal === undefined ? {} : { signal }),
      }
      const response = await fetch(address, { ...fetchOptions, redirect: "manual" }).catch(() => undefined)
      if (response === undefined || response.status >= 500) {
        await response?.body?.cancel()
        return lastDocument ?? new Response(null, { status: 502 })
      }
      // The client has removed its document, so the stored version is removed, too.
      if (lastDocument !== undefined && (response.status === 404 || response.status === 410))
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
      if (lastDocument === undefined) return answer
      // An HTML maintenance page is not a document.
      if (!(await isJson(answer.clone()))) return lastDocument
      await write(address, text)
      return answer
    },
    keep: (clientId, metadata) => write(clientId, JSON.stringify(metadata)),
  }
}

const isJson = (response: Response): Promise<boolean> =>
  response.json().then(
    () => true,
    () => false,
  )
