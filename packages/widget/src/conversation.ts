// The conversation of a chat: loads it, sends messages, and shows what its source tells of the replies.

import type { Chat, LoadedChat } from "@holdpoint/sdk/client"
import type { StreamEvent } from "@holdpoint/sdk/stream"
import { h } from "./dom.ts"
import { wordsOf } from "./failure.ts"
import { textOf, toEvents } from "./history.ts"
import type { MessageList } from "./message-list.ts"
import type { QuestionCard } from "./question-card.ts"
import { isSignedOut } from "./refusals.ts"
import { createErrorNote, createReplyView, type ReplyView } from "./reply-view.ts"
import type { ConversationSource, SourceEvent } from "./source.ts"
import { isUnderWay } from "./source.ts"
import type { Say } from "./texts.ts"

export interface ConversationParts {
  readonly say: Say
  readonly chat: Chat
  readonly source: ConversationSource
  readonly list: MessageList
  readonly createCard: (event: StreamEvent) => QuestionCard
  readonly onQuestion: (event: StreamEvent, card: QuestionCard) => void
  /** A tool has given something, while this page was there. */
  readonly onTool: (result: ToolResult) => void
  readonly onEnd: (status: string, text: string) => void
  /** Called whenever something that the composer shows may have changed. */
  readonly onChange: () => void
  readonly onLost: (isLost: boolean) => void
  /** The server does not know who sends this message. */
  readonly onSignedOut: (text: string) => void
}

export interface Conversation {
  load(): Promise<void>
  send(text: string): void
  stop(): void
  isUnderWay(): boolean
  isAsking(): boolean
  isEmpty(): boolean
  close(): void
}

/** What a tool of the agent gave, for pages that do something with it. */
export interface ToolResult {
  readonly toolName: string
  readonly input: unknown
  readonly output: unknown
}

/** The reply that the chat follows. */
interface Followed {
  readonly view: ReplyView
  messageId: string | undefined
  number: number
  /** The tool calls whose results this page knows of. */
  readonly given: Set<string>
}

export function createConversation(parts: ConversationParts): Conversation {
  const { say, chat, source, list } = parts
  let followed: Followed | undefined
  let underWay = false
  let count = 0
  let unfollow = (): void => {}
  /** The last load counts: one that was overtaken, or outlived its chat, shows nothing. */
  let loads = 0

  const showMine = (text: string): HTMLElement => {
    const bubble = h("article", { class: "mine", part: "mine", "aria-label": say("you") }, h("p", {}, text))
    list.append(bubble)
    count += 1
    return bubble
  }
  const addReply = (text: string, isLive: boolean): ReplyView => {
    const { createCard } = parts
    const onQuestion = isLive ? parts.onQuestion : () => {}
    const view = createReplyView({ say, createCard, onQuestion, onAgain: () => send(text) })
    list.append(view.element)
    return view
  }
  const fail = (words: string, onAgain: () => void): void => list.append(createErrorNote(say, words, onAgain))

  const onReply = ({ messageId, event }: Extract<SourceEvent, { readonly type: "reply" }>): void => {
    if (followed !== undefined) followed.messageId ??= messageId
    // A message was sent elsewhere, in another tab for example: the page has neither it nor the beginning of its reply.
    if (followed === undefined || (messageId !== undefined && messageId !== followed.messageId)) return void load()
    if (event.number !== undefined && event.number <= followed.number) return
    followed.number = event.number ?? followed.number
    const { view } = followed
    view.show(event)
    if (event.type === "tool-result") tellTool(followed, event)
    if (event.type !== "end") return
    underWay = false
    parts.onEnd(event.status, view.text())
  }
  const tellTool = (
    { view, given }: Followed,
    { toolCallId, output }: { toolCallId: string; output: unknown },
  ): void => {
    const call = given.has(toolCallId) ? undefined : view.toolCall(toolCallId)
    given.add(toolCallId)
    if (call !== undefined) parts.onTool({ toolName: call.toolName, input: call.input, output })
  }
  const onEvent = (told: SourceEvent): void => {
    if (told.type === "connection") parts.onLost(told.isLost)
    else if (told.type === "reply") onReply(told)
    else void load()
    parts.onChange()
  }

  function send(text: string): void {
    const bubble = showMine(text)
    const view = addReply(text, true)
    const before = followed
    followed = { view, messageId: undefined, number: 0, given: new Set() }
    underWay = true
    list.toEnd()
    parts.onChange()
    source.post(chat.conversationId, text).catch((error: unknown) => {
      underWay = false
      followed = before
      count -= 1
      view.element.remove()
      bubble.remove()
      if (isSignedOut(error)) parts.onSignedOut(text)
      else fail(say("messageNotSent", { why: wordsOf(error, say) }), () => send(text))
      parts.onChange()
    })
  }
  /** `before` is the reply that was under way when the page had to load again: its results may have come meanwhile. */
  function showLoaded({ messages, reply, status }: LoadedChat, before: Followed | undefined): void {
    let text = ""
    for (const message of messages) {
      const isLast = message === messages.at(-1)
      if (message.role === "user") {
        text = textOf(message)
        showMine(text)
        // The reply has begun and said nothing yet.
        if (isLast && underWay)
          followed = { view: addReply(text, true), messageId: reply?.messageId, number: 0, given: new Set() }
        continue
      }
      const view = addReply(text, isLast && underWay)
      const events = toEvents(message)
      for (const event of events) view.show(event)
      if (!isLast || !underWay) view.show({ type: "end", status: isLast ? endOf(status) : "done" })
      const wasFollowed = isLast && before !== undefined && (before.messageId ?? message.id) === message.id
      followed = {
        view,
        messageId: message.id,
        number: reply?.number ?? 0,
        given: wasFollowed ? before.given : new Set(),
      }
      for (const event of events)
        if (event.type === "tool-result") {
          if (wasFollowed) tellTool(followed, event)
          else followed.given.add(event.toolCallId)
        }
    }
  }
  async function load(): Promise<void> {
    loads += 1
    const own = loads
    unfollow()
    try {
      const loaded = await chat.load()
      if (own !== loads) return
      const before = underWay ? followed : undefined
      followed?.view.close()
      followed = undefined
      list.clear()
      count = 0
      underWay = isUnderWay(loaded)
      if (loaded !== undefined) showLoaded(loaded, before)
      unfollow = source.follow({ id: chat.conversationId, loaded }, onEvent)
      list.toEnd()
    } catch (error) {
      if (own !== loads) return
      unfollow = source.follow({ id: chat.conversationId, loaded: undefined }, onEvent)
      if (!isSignedOut(error)) fail(say("notLoaded", { why: wordsOf(error, say) }), () => void load())
    }
    parts.onChange()
  }
  return {
    load,
    send,
    stop: () => void chat.stop().catch((error: unknown) => fail(wordsOf(error, say), () => void chat.stop())),
    isUnderWay: () => underWay,
    isAsking: () => followed?.view.isAsking() ?? false,
    isEmpty: () => count === 0,
    close() {
      loads += 1
      unfollow()
      followed?.view.close()
    },
  }
}

const endOf = (status: string): "done" | "failed" | "stopped" =>
  status === "failed" || status === "stopped" ? status : "done"
