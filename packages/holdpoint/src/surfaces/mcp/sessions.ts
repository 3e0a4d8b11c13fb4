// Sessions of clients up to 2025-11-25. Their declared capabilities are sealed in the session id, so that any process
// can serve them; the store only knows which links they were given, and which sessions have ended.

import { digestOf } from "../../asking/digest.ts"
import { memberOf, modesOf, revisionOf } from "./client.ts"
import type { ClientSession } from "./records.ts"
import { clientSessionKind } from "./records.ts"
import type { Session } from "./state.ts"
import { openSession, sealSession } from "./state.ts"
import type { Caller, Surface } from "./surface.ts"

export interface Sessions {
  /** Begins a session for the client that sent this initialize message. */
  begin(message: unknown, caller: Caller): { readonly session: Session; readonly text: string }
  /**
   * Opens a session id. Undefined when it was not issued here, belongs to another caller, has expired, or was ended.
   */
  open(text: string, caller: Caller): Promise<Session | undefined>
  end(session: Session, caller: Caller): Promise<void>
  /** Records that this client was given a link and must be notified when it is completed. */
  promise(session: Session, caller: Caller, elicitation: string): Promise<void>
  /** The links that the client was given and not yet notified of. */
  promised(session: Session): Promise<readonly string[]>
  /** Removes a link from the list. True for the one process that removed it, which then notifies the client. */
  redeem(session: Session, elicitation: string): Promise<boolean>
}

const sessionMs = 7 * 24 * 60 * 60_000
/** The most links per session. When there are more, only the latest are kept. */
const mostPromises = 100
/** The most sessions cached in memory. The cache is only for speed: any process can open any session. */
const mostRecent = 2_000

export function createSessions({
  storage,
  tokens,
  runtime,
}: Pick<Surface, "storage" | "tokens" | "runtime">): Sessions {
  const clientSessions = storage.records(clientSessionKind)

  const change = async (
    session: Session,
    tenant: string,
    how: (last: ClientSession) => ClientSession | undefined,
  ): Promise<boolean> => {
    for (;;) {
      const { id, expiresAt } = session
      const known = await clientSessions.get(id)
      const next = how(known ?? { id, tenant, version: 0, prompts: [], isEnded: false, expiresAt })
      if (next === undefined) return false
      const written = { ...next, version: next.version + 1 }
      if (await (known === undefined ? clientSessions.insert(written) : clientSessions.replace(written))) return true
    }
  }
  const recent = new Map<string, Session>()
  /**
   * Opens a session id, with a cache, because the same id comes with every request. The owner and the deadline are
   * checked each time.
   */
  const opened = (text: string, owner: string): Session | undefined => {
    const now = runtime.now()
    const known = recent.get(text)
    if (known !== undefined) return known.principal === owner && now < known.expiresAt ? known : undefined
    const session = openSession(tokens, text, owner, now)
    if (session === undefined) return undefined
    const oldest = recent.keys().next().value
    if (recent.size >= mostRecent && oldest !== undefined) recent.delete(oldest)
    recent.set(text, session)
    return session
  }
  const tenantOf = ({ principal }: Caller): string => principal?.tenant ?? "anonymous"

  return {
    begin(message, caller) {
      const params = memberOf(message, "params")
      const info = memberOf(params, "clientInfo")
      const revision = revisionOf(memberOf(params, "protocolVersion"))
      // For a newer revision, the SDK answers with the newest one of this era.
      const served = revision === "2026-07-28" ? "2025-11-25" : revision
      const session: Session = {
        id: runtime.newId(),
        revision: served,
        modes: modesOf(memberOf(params, "capabilities"), served),
        ...textMember(info, "name"),
        ...textMember(info, "version"),
        principal: ownerOf(caller),
        expiresAt: runtime.now() + sessionMs,
      }
      return { session, text: sealSession(tokens, session) }
    },
    async open(text, caller) {
      const session = opened(text, ownerOf(caller))
      if (session === undefined) return undefined
      return (await clientSessions.get(session.id))?.isEnded === true ? undefined : session
    },
    async end(session, caller) {
      await change(session, tenantOf(caller), (last) => ({ ...last, isEnded: true, prompts: [] }))
    },
    async promise(session, caller, elicitation) {
      await change(session, tenantOf(caller), (last) =>
        last.prompts.includes(elicitation)
          ? undefined
          : { ...last, prompts: [...last.prompts, elicitation].slice(-mostPromises) },
      )
    },
    promised: async ({ id }) => (await clientSessions.get(id))?.prompts ?? [],
    redeem: (session, elicitation) =>
      change(session, "", (last) =>
        last.prompts.includes(elicitation)
          ? { ...last, prompts: last.prompts.filter((other) => other !== elicitation) }
          : undefined,
      ),
  }
}

/**
 * The owner of a session: a person and the program they use. Compared with every request. Sealed in full, or as a
 * digest when it is too long.
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
