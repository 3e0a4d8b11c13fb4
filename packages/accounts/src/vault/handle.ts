// A connection as authors use it: calls that send fresh credentials to the provider's own addresses only, and the
// credentials themselves for programs that use another protocol.

import { HoldpointError } from "@holdpoint/hub"
import type { Connection, ConnectionHandle, Provider } from "@holdpoint/hub/internal"
import type { Access } from "./access.ts"
import { unauthorized } from "./access.ts"
import { accountDisabled, connectionLost, outcomeOf } from "./connection-errors.ts"
import { toAccountCredentials } from "./credentials.ts"
import type { OpenedConnection } from "./opened-connections.ts"
import type { VaultParts } from "./parts.ts"
import { providerOf } from "./parts.ts"
import type { Probes } from "./probe.ts"
import { connectionKind } from "./records.ts"

/** Asks the owner to grant access again. Without `wait`, throws that the owner was asked. */
export type AskAgain = (options: { readonly wait: boolean }) => Promise<ConnectionHandle>

export interface HandleParts extends VaultParts {
  readonly access: Access
  readonly probes: Probes
}

export function createHandle(parts: HandleParts, connection: Connection, askAgain?: AskAgain): ConnectionHandle {
  const { id, owner, account, scopes } = connection
  const provider = providerOf(parts, connection.provider)
  parts.access.noteVersion(id, connection.version)

  /** Asks again at most once per call: a person who has just granted access is not asked again. */
  const callOrAskAgain = async <T>(
    call: () => Promise<T>,
    callAgain: (handle: ConnectionHandle) => Promise<T>,
    wait: boolean,
  ) => {
    try {
      return await call()
    } catch (error) {
      if (askAgain === undefined || outcomeOf(error)?.status !== "lost") throw error
      return callAgain(createHandle(parts, await toConnection(parts, await askAgain({ wait }))))
    }
  }

  return {
    id,
    provider: provider.id,
    owner,
    ...(account === undefined ? {} : { account }),
    scopes,
    api: provider.api,
    async fetch(url, init = {}) {
      const target = toTarget(provider, url)
      const isRepeatable = canRepeat(init.body)
      const { timeoutMs } = provider
      const limits = timeoutMs === undefined ? {} : { timeoutMs }
      const send = async (opened: OpenedConnection): Promise<Response> => {
        const headers = headersWith(provider, opened, init.headers)
        const response = await parts.apiFetch(target, { redirect: "follow", ...limits, ...init, headers })
        if (response.status === 401) parts.unauthorized(provider.id)
        return response
      }
      return callOrAskAgain(
        () => callUpstream(parts, id, send, isRepeatable),
        (next) => next.fetch(url, init),
        isRepeatable,
      )
    },
    credentials: () =>
      callOrAskAgain(
        async () => {
          const opened = await parts.access.getFresh(id)
          parts.access.noteUse(opened)
          return toAccountCredentials(opened)
        },
        (next) => next.credentials(),
        true,
      ),
  }
}

/**
 * After a 401, or the provider's equivalent, renews the credentials and repeats the call once; a second 401 ends the
 * connection.
 */
async function callUpstream(
  parts: HandleParts,
  id: string,
  send: (opened: OpenedConnection) => Promise<Response>,
  isRepeatable: boolean,
): Promise<Response> {
  const { access, probes } = parts
  const isRefused = ({ status }: Response, sender: OpenedConnection): boolean | Promise<boolean> =>
    status === 401 || (status >= 400 && probes.isRefused(sender, status))
  const opened = await access.getFresh(id)
  const firstResponse = await send(opened)
  access.noteUse(opened)
  if (!(await isRefused(firstResponse, opened))) return firstResponse
  if (await probes.isDisabled(opened, firstResponse)) {
    await firstResponse.body?.cancel()
    throw accountDisabled(providerOf(parts, opened.connection.provider), opened.connection)
  }
  const renewed = await cancelOnFailure(firstResponse, access.renew(opened))
  if (!isRepeatable) return firstResponse
  await firstResponse.body?.cancel()
  const secondResponse = await send(renewed)
  if (await isRefused(secondResponse, renewed))
    await cancelOnFailure(secondResponse, access.endCredentials(renewed, unauthorized))
  return secondResponse
}

/** Waits for `work`. If it fails, cancels the response's body, which frees its socket. */
async function cancelOnFailure<T>(response: Response, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    await response.body?.cancel()
    throw error
  }
}

function headersWith(
  provider: Provider,
  { headers: credentials }: OpenedConnection,
  callHeaders: RequestInit["headers"],
): Headers {
  const headers = new Headers(callHeaders)
  for (const [name, value] of Object.entries(provider.headers ?? {})) {
    if (!headers.has(name)) headers.set(name, value)
  }
  headers.delete("authorization")
  for (const [name, value] of credentials) headers.set(name, value)
  return headers
}

const originsByProvider = new WeakMap<Provider, ReadonlySet<string>>()

function toTarget(provider: Provider, url: string | URL): URL {
  const target = URL.parse(String(url))
  const allowed = originsByProvider.get(provider) ?? new Set(provider.api.map((address) => new URL(address).origin))
  originsByProvider.set(provider, allowed)
  if (target !== null && target.username === "" && target.password === "" && allowed.has(target.origin)) return target
  const problem = target === null ? "The given URL is not valid." : `${target.origin} is not one of them.`
  throw new HoldpointError(
    "unsafe_address",
    `Credentials of ${provider.name} are sent to ${provider.api.join(", ")} and nowhere else. ${problem}`,
  )
}

/** Whether a request with this body can be sent twice. A stream cannot. */
function canRepeat(body: RequestInit["body"]): boolean {
  if (body === undefined || body === null || typeof body === "string" || ArrayBuffer.isView(body)) return true
  return [URLSearchParams, FormData, Blob, ArrayBuffer].some((kind) => body instanceof kind)
}

async function toConnection(parts: HandleParts, { id }: ConnectionHandle): Promise<Connection> {
  const connection = await parts.storage.records(connectionKind).get(id)
  if (connection === undefined) throw connectionLost(parts, undefined)
  return connection
}
