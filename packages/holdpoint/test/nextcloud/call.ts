// One request to the fake Nextcloud, read once, and what its routes share.

import type { IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import type { BrowserSession, Reply, State } from "./state.ts"

export interface Call {
  readonly method: string
  /** Below the server's own path, without /index.php. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage["headers"]
  /** Of a form or of flat JSON. */
  readonly fields: ReadonlyMap<string, string>
  readonly session: BrowserSession
  readonly state: State
  /** What the server takes for its own address, without a slash at the end. */
  readonly url: string
}

export type Route = readonly [method: string, path: string | RegExp, (call: Call) => Reply]

export function basicOf({ headers }: Call): { readonly name: string; readonly secret: string } | undefined {
  const encoded = /^Basic (.+)$/i.exec(headers.authorization ?? "")?.[1]
  const [, name, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? "", "base64").toString()) ?? []
  return name === undefined || secret === undefined || secret === "" ? undefined : { name, secret }
}

export const bearerOf = ({ headers }: Call): string | undefined =>
  /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1]

export async function readFields(request: IncomingMessage): Promise<ReadonlyMap<string, string>> {
  const body = await text(request)
  if (!request.headers["content-type"]?.startsWith("application/json")) return new Map(new URLSearchParams(body))
  return new Map(Object.entries(JSON.parse(body) as Record<string, unknown>).map(([name, one]) => [name, String(one)]))
}
