// The conversation of a chat: loads it, sends messages, and shows the replies that its source reports.

import type { Chat, LoadedChat } from "@holdpoint/client"
import type { StreamEvent } from "@holdpoint/hub/stream"
import type { ConversationSource, SourceEvent } from "./conversation-source.ts"
import { isUnderWay } from "./conversation-source.ts"
import { h } from "./dom.ts"
import { errorText } from "./error-text.ts"
import { textOfMessage, toEvents } from "./history.ts"
import type { MessageList } from "./message-list.ts"
import type { QuestionCard } from "./question-card.ts"
import { isSignedOut } from "./refusals.ts"
import { createErrorNote, createReplyView, type ReplyView } from "./reply-view.ts"
import type { Translate } from "./texts.ts"

export interface ConversationParts {
  readonly translate: Translate
  readonly chat: Chat
  readonly source: ConversationSource
  readonly list: MessageList
  readonly createCard: (event: StreamEvent) => QuestionCard
  readonly onQuestion: (event: StreamEvent, card: QuestionCard) => void
  /** Called when a tool has returned its result while the page was open. */
  readonly onTool: (result: ToolResult) => void
  readonly onEnd: (status: string, text: string) => void
  /** Called after every change that the composer or the suggestions may depend on. */
  readonly onChange: () => void
  readonly onLost: (isLost: boolean) => void
  /** Called with a message that the server refused because the person is signed out. */
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

/** The result of a call by the agent, for pages that use it. */
export interface ToolResult {
  readonly toolName: string
  readonly input: unknown
  readonly output: unknown
}

/** The latest reply, and the chat's position in it. */
interface FollowedReply {
  readonly view: ReplyView
  messageId: string | undefined
  number: number
  /** The ids of the tool calls whose results were reported to the page or were loaded. */
  readonly reportedCalls: Set<string>
}

export function createConversation(parts: ConversationParts): Conversation {
  const { translate, chat, source, list } = parts
  let followedReply: FollowedReply | undefined
  let isReplyUnderWay = false
  let messageCount = 0
  let unsubscribe = (): void => {}
  /** Only the latest load may show its messages: a newer load or `close` makes the others obsolete. */
  let loadCount = 0

  const showUserMessage = (text: string): HTMLElement => {
    const bubble = h("article", { class: "mine", part: "mine", "aria-label": translate("you") }, h("p", {}, text))
    list.append(bubble)
    messageCount += 1
    return bubble
  }
  const addReply = (text: string, isLive: boolean): ReplyView => {
    const { createCard } = parts
    const onQuestion = isLive ? parts.onQuestion : () => {}
    const view = createReplyView({ translate, createCard, onQuestion, onRetry: () => send(text) })
    list.append(view.element)
    return view
  }
  const showError = (message: string, onRetry: () => void): void =>
    list.append(createErrorNote(translate, message, onRetry))

  const onReply = ({ messageId, event }: Extract<SourceEvent, { readonly type: "reply" }>): void => {
    if (followedReply !== undefined) followedReply.messageId ??= messageId
    // The message was sent in another tab or device, so this page lacks the message and the beginning of its reply.
    if (followedReply === undefined || (messageId !== undefined && messageId !== followedReply.messageId))
      return void load()
    if (event.number !== undefined && event.number <= followedReply.number) return
    followedReply.number = event.number ?? followedReply.number
    const { view } = followedReply
    view.show(event)
    if (event.type === "tool-result") reportToolResult(followedReply, event)
    if (event.type !== "end") return
    isReplyUnderWay = false
    parts.onEnd(event.status, view.text())
  }
  const reportToolResult = (
    { view, reportedCalls }: FollowedReply,
    { toolCallId, output }: { toolCallId: string; output: unknown },
  ): void => {
    const call = reportedCalls.has(toolCallId) ? undefined : view.toolCall(toolCallId)
    reportedCalls.add(toolCallId)
    if (call !== undefined) parts.onTool({ toolName: call.toolName, input: call.input, output })
  }
  const onEvent = (event: SourceEvent): void => {
    if (event.type === "connection") parts.onLost(event.isLost)
    else if (event.type === "reply") onReply(event)
    else void load()
    parts.onChange()
  }

  function send(text: string): void {
    const bubble = showUserMessage(text)
    const view = addReply(text, true)
    const previousReply = followedReply
    followedReply = { view, messageId: undefined, number: 0, reportedCalls: new Set() }
    isReplyUnderWay = true
    list.scrollToEnd()
    parts.onChange()
    source.post(chat.conversationId, text).catch((error: unknown) => {
      isReplyUnderWay = false
      followedReply = previousReply
      messageCount -= 1
      view.element.remove()
      bubble.remove()
      if (isSignedOut(error)) parts.onSignedOut(text)
      else showError(translate("messageNotSent", { why: errorText(error, translate) }), () => send(text))
      parts.onChange()
    })
  }
  /** `previousReply` was under way before loading again: meanwhile its tools may have returned results. */
  function showLoaded({ messages, reply, status }: LoadedChat, previousReply: FollowedReply | undefined): void {
    let text = ""
    for (const message of messages) {
      const isLast = message === messages.at(-1)
      if (message.role === "user") {
        text = textOfMessage(message)
        showUserMessage(text)
        // The reply has begun and has no text yet.
        if (isLast && isReplyUnderWay)
          followedReply = {
            view: addReply(text, true),
            messageId: reply?.messageId,
            number: 0,
            reportedCalls: new Set(),
          }
        continue
      }
      const view = addReply(text, isLast && isReplyUnderWay)
      const events = toEvents(message)
      for (const event of events) view.show(event)
      if (!isLast || !isReplyUnderWay) view.show({ type: "end", status: isLast ? endOf(status) : "done" })
      const wasFollowed =
        isLast && previousReply !== undefined && (previousReply.messageId ?? message.id) === message.id
      followedReply = {
        view,
        messageId: message.id,
        number: reply?.number ?? 0,
        reportedCalls: wasFollowed ? previousReply.reportedCalls : new Set(),
      }
      for (const event of events)
        if (event.type === "tool-result") {
          if (wasFollowed) reportToolResult(followedReply, event)
          else followedReply.reportedCalls.add(event.toolCallId)
        }
    }
  }
  async function load(): Promise<void> {
    loadCount += 1
    const loadNumber = loadCount
    unsubscribe()
    try {
      const loadedChat = await chat.load()
      if (loadNumber !== loadCount) return
      const previousReply = isReplyUnderWay ? followedReply : undefined
      followedReply?.view.close()
      followedReply = undefined
      list.clear()
      messageCount = 0
      isReplyUnderWay = isUnderWay(loadedChat)
      if (loadedChat !== undefined) showLoaded(loadedChat, previousReply)
      unsubscribe = source.follow({ id: chat.conversationId, loaded: loadedChat }, onEvent)
      list.scrollToEnd()
    } catch (error) {
      if (loadNumber !== loadCount) return
      unsubscribe = source.follow({ id: chat.conversationId, loaded: undefined }, onEvent)
      if (!isSignedOut(error))
        showError(translate("notLoaded", { why: errorText(error, translate) }), () => void load())
    }
    parts.onChange()
  }
  function stop(): void {
    chat.stop().catch((error: unknown) => showError(errorText(error, translate), stop))
  }
  return {
    load,
    send,
    stop,
    isUnderWay: () => isReplyUnderWay,
    isAsking: () => followedReply?.view.isAsking() ?? false,
    isEmpty: () => messageCount === 0,
    close() {
      loadCount += 1
      unsubscribe()
      followedReply?.view.close()
    },
  }
}

const endOf = (status: string): "done" | "failed" | "stopped" =>
  status === "failed" || status === "stopped" ? status : "done"
