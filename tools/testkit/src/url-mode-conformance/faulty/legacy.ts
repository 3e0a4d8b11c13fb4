// The faulty servers' side of the older revisions: sessions, pushed questions, completion notifications.

import { randomUUID } from "node:crypto"
import type { Era, Json, Question } from "./behaviour.ts"
import { errorOf, paramsOf, tools } from "./modern.ts"
import type { QuestionStore } from "./question-store.ts"

interface Session {
  readonly id: string
  readonly owner: string
  readonly era: Era
  readonly capabilities: unknown
  stream?: ReadableStreamDefaultController<Uint8Array>
}

interface PendingQuestion {
  readonly question: Question
  readonly resolve: (answer: Json) => void
}

export interface Legacy {
  post(body: Json, owner: string, sessionId: string | null): Promise<Response>
  listen(sessionId: string | null): Response
}

const events = { "content-type": "text/event-stream" }

export function createLegacy(store: QuestionStore): Legacy {
  const { behaviour } = store
  const sessions = new Map<string, Session>()
  const pushed = new Map<string, PendingQuestion>()
  const notifyCompletion = (question: Question): void => {
    for (const id of behaviour.completionRecipients(question, [...sessions.keys()])) {
      const session = sessions.get(id)
      const params = { elicitationId: behaviour.completionId(question) }
      if (session?.era === "2025-11-25")
        write(session.stream, { jsonrpc: "2.0", method: "notifications/elicitation/complete", params })
    }
  }
  store.onDone(notifyCompletion)

  const initialize = (body: Json, owner: string): Response => {
    const { protocolVersion, capabilities } = body.params as { protocolVersion: Era; capabilities: unknown }
    const session: Session = { id: randomUUID(), owner, era: protocolVersion, capabilities }
    sessions.set(session.id, session)
    const result = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "honest", version: "1" } }
    return Response.json({ jsonrpc: "2.0", id: body.id, result }, { headers: { "mcp-session-id": session.id } })
  }

  const push = (session: Session, question: Question, mode: "url" | "form", send: Send): Promise<Json> => {
    const id = `ask-${randomUUID()}`
    send({ jsonrpc: "2.0", id, method: "elicitation/create", params: paramsOf(store, question, mode, session.era) })
    return new Promise((resolve) => pushed.set(id, { question, resolve }))
  }

  const connect = async (session: Session, question: Question, send: Send): Promise<Json> => {
    if (!behaviour.canAsk("url", session.capabilities, session.era, undefined))
      return behaviour.cannotAskResult(question, session.era)
    for (;;) {
      const { action } = await push(session, question, "url", send)
      if (action !== "accept") {
        if (!behaviour.refusalEnds) continue
        return { content: [{ type: "text", text: "It was declined." }], isError: true }
      }
      question.status = question.status === "open" ? "accepted" : question.status
      if (behaviour.completesOnAccept) notifyCompletion(question)
      if (!behaviour.asksAgain(question)) break
    }
    if (!behaviour.isFinished(question)) await store.untilSettled(question)
    return { content: [{ type: "text", text: behaviour.finalText(question) }] }
  }

  const greet = async (session: Session, question: Question, send: Send): Promise<Json> => {
    if (!behaviour.canAsk("form", session.capabilities, session.era, undefined))
      return behaviour.cannotAskResult(question, session.era)
    for (;;) {
      const { action, content } = await push(session, question, "form", send)
      const { name } = (content ?? {}) as Json
      if (action !== "accept" && behaviour.refusalEnds)
        return { content: [{ type: "text", text: "It was declined." }], isError: true }
      if (action !== "accept") continue
      if (typeof name === "string" || !behaviour.checksContent)
        return { content: [{ type: "text", text: `Hello, ${String(name)}!` }] }
    }
  }

  const callTool = (session: Session, owner: string, body: Json): Response => {
    const { name, arguments: toolArguments } = body.params as Json
    const question = store.ask(owner, JSON.stringify([name, toolArguments]), session.id)
    const mayAsk = behaviour.canAsk("url", session.capabilities, session.era, undefined)
    if (name === "connect" && behaviour.urlWay === "error" && mayAsk)
      return asError(store, session, body, toolArguments)
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        const send: Send = (message) => write(controller, behaviour.message(message, session.era))
        const run = name === "connect" ? connect : greet
        void run(session, question, send).then((result) => {
          send({ jsonrpc: "2.0", id: body.id, result })
          end(controller)
        })
      },
    })
    return new Response(stream, { headers: events })
  }

  return {
    async post(body, owner, sessionId) {
      if (body.method === "initialize") return initialize(body, owner)
      const session = sessions.get(sessionId ?? "")
      const caller = session && behaviour.callerOf(session, owner)
      if (session === undefined || caller === undefined) return new Response(null, { status: 404 })
      if (body.method === undefined) {
        const pending = pushed.get(String(body.id))
        const isTheirs = pending && behaviour.mayAnswer(pending.question, { owner, session: session.id })
        if (isTheirs) pending.resolve((body.result ?? {}) as Json)
        return new Response(null, { status: isTheirs ? 202 : 404 })
      }
      if (body.id === undefined) return new Response(null, { status: 202 })
      if (body.method === "tools/list") return Response.json({ jsonrpc: "2.0", id: body.id, result: { tools } })
      if (body.method === "tools/call") return callTool(session, caller, body)
      return Response.json(errorOf(body.id, -32601, "There is no such method."))
    },
    listen(sessionId) {
      const session = sessions.get(sessionId ?? "")
      if (session === undefined) return new Response(null, { status: 404 })
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          session.stream = controller
        },
      })
      return new Response(stream, { headers: events })
    },
  }
}

type Send = (message: Json) => void

/** Asks with the error -32042. Calls with the same arguments share one question until it is finished. */
function asError(store: QuestionStore, session: Session, body: Json, toolArguments: unknown): Response {
  const { behaviour } = store
  const call = JSON.stringify(["connect", toolArguments, "error"])
  const candidates = [...store.questions.values()].filter(
    (candidate) => candidate.call === call && candidate.session === session.id,
  )
  const question = candidates.find(({ status }) => status !== "refused") ?? store.ask(session.owner, call, session.id)
  if (behaviour.isFinished(question)) {
    const result = { content: [{ type: "text", text: behaviour.finalText(question) }] }
    return Response.json(behaviour.message({ jsonrpc: "2.0", id: body.id, result }, session.era))
  }
  const elicitations = behaviour.errorEntries(paramsOf(store, question, "url", session.era))
  return Response.json(
    behaviour.message(errorOf(body.id, -32042, "An account is needed.", { elicitations }), session.era),
  )
}

function write(controller: ReadableStreamDefaultController<Uint8Array> | undefined, message: Json): void {
  try {
    controller?.enqueue(new TextEncoder().encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`))
  } catch {
    // The client has disconnected.
  }
}

function end(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close()
  } catch {
    // The client has disconnected.
  }
}
