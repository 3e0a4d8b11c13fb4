// Sessions of clients up to 2025-11-25. Their declared capabilities are sealed in the session id, so that any process
// can serve them; the store has only the links that they received, and the sessions that have ended.

import { digestOf } from "@holdpoint/calls/internal"
import { changeOrInsert } from "@holdpoint/hub/internal"
import { memberOf, modesOf, revisionOf } from "./client.ts"
import type { ClientSession } from "./records.ts"
import { clientSessionKind } from "./records.ts"
import type { Session } from "./state.ts"
import { openSession, sealSession } from "./state.ts"
import type { Caller, Surface } from "./surface.ts"

export interface Sessions {
  /** Begins a session for the client that sent this initialize message. */
  begin(message: unknown, caller: Caller): { readonly session: Session; readonly sealedId: string }
  /**
   * Opens a session id. Undefined if this server did not issue it, it belongs to another caller, has expired or ended.
   */
  open(text: string, caller: Caller): Promise<Session | undefined>
  end(session: Session, caller: Caller): Promise<void>
  /** Records that this client received a link and must be notified when the question is completed. */
  addLink(session: Session, caller: Caller, elicitation: string): Promise<void>
  /** The ids of the questions whose links the client received, and whose completion it was not notified of. */
  pendingLinks(session: Session): Promise<readonly string[]>
  /** Removes a link from the list. True for the one process that removed it, which then notifies the client. */
  removeLink(session: Session, elicitation: string): Promise<boolean>
}

const sessionMs = 7 * 24 * 60 * 60_000
/** The most links per session. When there are more, only the latest are kept. */
const mostLinks = 100
/** The most sessions cached in memory. The cache is only for speed: any process can open any session. */
const mostCached = 2_000

export function createSessions({
  storage,
  tokens,
  runtime,
}: Pick<Surface, "storage" | "tokens" | "runtime">): Sessions {
  const clientSessions = storage.records(clientSessionKind)

  const change = async (
    session: Session,
    tenant: string,
    update: (current: ClientSession) => ClientSession | undefined,
  ): Promise<boolean> => {
    const { id, expiresAt } = session
    const first = { id, tenant, version: 0, prompts: [], isEnded: false, expiresAt }
    return (await changeOrInsert(clientSessions, id, (stored) => update(stored ?? first))) !== undefined
  }
  const cache = new Map<string, Session>()
  /**
   * Opens a session id, with a cache, because the same id comes with every request. The owner and the deadline are
   * checked each time.
   */
  const openCached = (text: string, owner: string): Session | undefined => {
    const now = runtime.now()
    const cached = cache.get(text)
    if (cached !== undefined) return cached.principal === owner && now < cached.expiresAt ? cached : undefined
    const session = openSession(tokens, text, owner, now)
    if (session === undefined) return undefined
    const oldest = cache.keys().next().value
    if (cache.size >= mostCached && oldest !== undefined) cache.delete(oldest)
    cache.set(text, session)
    return session
  }
  const tenantOf = ({ principal }: Caller): string => principal?.tenant ?? "anonymous"

  return {
    begin(message, caller) {
      const params = memberOf(message, "params")
      const info = memberOf(params, "clientInfo")
      const revision = revisionOf(memberOf(params, "protocolVersion"))
      // For a newer revision, the SDK answers with 2025-11-25, the newest revision that has sessions.
      const servedRevision = revision === "2026-07-28" ? "2025-11-25" : revision
      const session: Session = {
        id: runtime.newId(),
        revision: servedRevision,
        modes: modesOf(memberOf(params, "capabilities"), servedRevision),
        ...textMember(info, "name"),
        ...textMember(info, "version"),
        principal: ownerOf(caller),
        expiresAt: runtime.now() + sessionMs,
      }
      return { session, sealedId: sealSession(tokens, session) }
    },
    async open(text, caller) {
      const session = openCached(text, ownerOf(caller))
      if (session === undefined) return undefined
      return (await clientSessions.get(session.id))?.isEnded === true ? undefined : session
    },
    async end(session, caller) {
      await change(session, tenantOf(caller), (current) => ({ ...current, isEnded: true, prompts: [] }))
    },
    async addLink(session, caller, elicitation) {
      await change(session, tenantOf(caller), (current) =>
        current.prompts.includes(elicitation)
          ? undefined
          : { ...current, prompts: [...current.prompts, elicitation].slice(-mostLinks) },
      )
    },
    pendingLinks: async ({ id }) => (await clientSessions.get(id))?.prompts ?? [],
    removeLink: (session, elicitation) =>
      change(session, "", (current) =>
        current.prompts.includes(elicitation)
          ? { ...current, prompts: current.prompts.filter((other) => other !== elicitation) }
          : undefined,
      ),
  }
}

/**
 * The owner of a session, which every request must match: a person and the program they use. A long program id is
 * replaced by its digest.
 */
function ownerOf({ principal, clientId }: Caller): string {
  if (principal === undefined) return "anonymous"
  const { tenant, issuer, subject } = principal
  return JSON.stringify([tenant, issuer, subject, clientId.length > 200 ? digestOf(clientId) : clientId])
}

function textMember(info: unknown, name: "name" | "version"): Partial<Record<"name" | "version", string>> {
  const value = memberOf(info, name)
  return typeof value === "string" ? { [name]: value.slice(0, 100) } : {}
}
