// Serves one configured agent over ACP: the protocol methods for one editor on one connection.

import {
  type AgentApp,
  type AgentContext,
  agent as createApp,
  PROTOCOL_VERSION,
  RequestError,
} from "@agentclientprotocol/sdk"
import type { OpenRuns } from "@holdpoint/agents/internal"
import type { Runtime } from "@holdpoint/hub"
import { version } from "../version.ts"
import { refuse } from "./errors.ts"
import { listSessions } from "./list.ts"
import type { EditorAbilities } from "./map.ts"
import { toParts } from "./message.ts"
import { createSession, type Session, type SessionParts } from "./session.ts"

export interface AcpParts extends Omit<SessionParts, "opened" | "followers"> {
  /** The display name of the agent. */
  readonly title: string
  readonly runtime: Pick<Runtime, "newId">
  /** Opens the runs on the first call. Later calls return the same object. */
  readonly open: () => Promise<OpenRuns>
  /** The `cwd` of listed sessions when the editor does not name a folder. */
  readonly folder: string
  /** Prints a line on standard error, which editors show in their logs. */
  readonly note: (text: string) => void
}

export function createAcpApp(parts: AcpParts): AgentApp {
  const { agent, title, folder, runtime, open, note } = parts
  const connectionEnd = new AbortController()
  const sessions = new Map<string, Session>()
  let abilities: EditorAbilities = { form: false, url: false }

  const noteServers = ({ length }: readonly unknown[]): void => {
    if (length > 0) note(unusedServers(length))
  }
  const create = async (id: string, client: AgentContext): Promise<Session> => {
    const openedRuns = await open()
    const { followers } = openedRuns.asking
    return createSession(
      { ...parts, opened: openedRuns, followers },
      { client, session: id, abilities, disconnected: connectionEnd.signal },
    )
  }
  const openAgain = async (id: string, client: AgentContext, begin: (session: Session) => Promise<void>) => {
    const previous = sessions.get(id)
    if (previous?.isPrompted() === true) throw refuse.underWay()
    const session = await create(id, client)
    previous?.close()
    sessions.set(id, session)
    await begin(session).catch((error: unknown) => {
      sessions.delete(id)
      throw error
    })
  }
  const sessionOf = (id: string): Session => {
    const session = sessions.get(id)
    if (session === undefined) throw refuse.noSession(id)
    return session
  }
  /** Reports an unexpected error and replaces it: the editor must not read the details of a server error. */
  const withReport = async <T>(activity: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof RequestError) throw error
      if (!connectionEnd.signal.aborted) parts.report(activity, error)
      throw refuse.failedInside()
    }
  }

  return createApp({ name: "holdpoint" })
    .onConnect((connection) => {
      connection.signal.addEventListener("abort", () => {
        connectionEnd.abort()
        for (const session of sessions.values()) session.close()
      })
    })
    .onRequest("initialize", ({ params: { clientCapabilities } }) => {
      const { form, url } = clientCapabilities?.elicitation ?? {}
      abilities = { form: (form ?? undefined) !== undefined, url: (url ?? undefined) !== undefined }
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: `holdpoint-${agent}`, title, version: version() },
        agentCapabilities: {
          loadSession: true,
          sessionCapabilities: { list: {}, resume: {} },
          promptCapabilities: { image: true, audio: false, embeddedContext: true },
          mcpCapabilities: { http: false, sse: false },
        },
        authMethods: [],
      }
    })
    .onRequest("session/new", ({ params: { mcpServers }, client }) =>
      withReport("beginning a session", async () => {
        noteServers(mcpServers)
        const sessionId = runtime.newId()
        sessions.set(sessionId, await create(sessionId, client))
        return { sessionId }
      }),
    )
    .onRequest("session/list", ({ params: { cwd, cursor } }) =>
      withReport("listing sessions", async () =>
        listSessions({ ...parts, opened: await open() }, { folder: cwd ?? folder, cursor: cursor ?? undefined }),
      ),
    )
    .onRequest("session/load", ({ params: { sessionId, mcpServers }, client }) =>
      withReport("loading a session", async () => {
        noteServers(mcpServers)
        await openAgain(sessionId, client, (session) => session.load())
        return {}
      }),
    )
    .onRequest("session/resume", ({ params: { sessionId, mcpServers = [] }, client }) =>
      withReport("resuming a session", async () => {
        noteServers(mcpServers)
        await openAgain(sessionId, client, (session) => session.resume())
        return {}
      }),
    )
    .onRequest("session/prompt", ({ params: { sessionId, prompt }, signal }) =>
      withReport("answering a prompt", async () => {
        const session = sessionOf(sessionId)
        // `$/cancel_request` stops the reply. A closed connection does not: the reply goes on without the editor.
        const cancel = (): void => {
          if (connectionEnd.signal.aborted) return
          session.cancel().catch((error: unknown) => parts.report("stopping a reply", error))
        }
        signal.addEventListener("abort", cancel, { once: true })
        return { stopReason: await session.prompt(toParts(prompt)) }
      }),
    )
    .onNotification("session/cancel", ({ params: { sessionId } }) =>
      withReport("stopping a reply", async () => sessions.get(sessionId)?.cancel()),
    )
}

const unusedServers = (count: number): string =>
  `The editor passed ${count} MCP ${count === 1 ? "server" : "servers"}. They are not used: the agent uses the servers in its own settings.`
