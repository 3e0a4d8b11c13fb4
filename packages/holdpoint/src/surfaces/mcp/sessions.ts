// Sessions of clients up to 2025-11-25. What they declared stands sealed in the session's id, so that any process can serve
// them; the store knows only which questions they were given, and which of them have ended.

import { digestOf } from "../../asking/digest.ts"
import { memberOf, modesOf, revisionOf } from "./client.ts"
import type { ClientSession } from "./records.ts"
import { clientSessionKind } from "./records.ts"
import type { Session } from "./state.ts"
import { openSession, sealSession } from "./state.ts"
import type { Caller, Surface } from "./surface.ts"

export interface Sessions {
  /** For the client that begins with this message. */
  begin(message: unknown, caller: Caller): { readonly session: Session; readonly text: string }
  /** Undefined when it is not ours, not theirs, over, or ended. */
  open(text: string, caller: Caller): Promise<Session | undefined>
  end(session: Session, caller: Caller): Promise<void>
  /** This client was given a question, and is to be told when it is done. */
  promise(session: Session, caller: Caller, elicitation: string): Promise<void>
  /** What it was given and has not been told of. */
  promised(session: Session): Promise<readonly string[]>
  /** Takes it off the list. True for the one who did, and who tells it. */
  redeem(session: Session, elicitation: string): Promise<boolean>
}

const sessionMs = 7 * 24 * 60 * 60_000
/** A client that never comes to an end with them is told of the latest. */
const mostPromises = 100
/** Sessions in memory, only to be quick: any process can open any. */
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
  /** The same text comes with every request of a session: it is opened once, and looked at each time. */
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
      // Asked for something newer, the SDK answers with the newest of its era.
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

/** A person, by way of one program. Compared with every request, and sealed: in full, unless it takes too much room. */
function ownerOf({ principal, clientId }: Caller): string {
  if (principal === undefined) return "anonymous"
  const { tenant, issuer, subject } = principal
  return JSON.stringify([tenant, issuer, subject, clientId.length > 200 ? digestOf(clientId) : clientId])
}

function textMember(info: unknown, name: "name" | "version"): Partial<Record<"name" | "version", string>> {
  const value = memberOf(info, name)
  return typeof value === "string" ? { [name]: value.slice(0, 100) } : {}
}
