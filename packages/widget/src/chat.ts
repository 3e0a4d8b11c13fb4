// `<holdpoint-chat>`: a conversation with an agent, whose questions are cards in its replies.

import { ClientError } from "@holdpoint/sdk/client"
import type { StreamEvent } from "@holdpoint/sdk/stream"
import { createComposer } from "./composer.ts"
import { connect } from "./connection.ts"
import { button, deepActiveElement, h } from "./dom.ts"
import type { ElementKind, ElementView, WidgetHost } from "./element.ts"
import { emit } from "./element.ts"
import { textOf, toEvents } from "./history.ts"
import { createOwnStream } from "./own-stream.ts"
import { createQuestionCard, type QuestionCard } from "./question-card.ts"
import { createReplyView, type ReplyView } from "./reply-view.ts"
import type { SourceEvent } from "./source.ts"
import { applyStyle } from "./style.ts"
import type { WidgetTexts } from "./texts/en.ts"
import { createSay, languageOf } from "./texts.ts"

export const chatKind: ElementKind = {
  tag: "holdpoint-chat",
  attributes: ["server", "agent", "conversation", "lang", "token-url", "sign-in", "signed-out", "suggestions"],
  properties: ["token", "texts", "suggestions"],
  open: (host, root) => openAgain(host, root),
}

/** Opens the chat again when its attributes or properties change. */
function openAgain(host: WidgetHost, root: ShadowRoot): ElementView {
  let close = openChat(host, root)
  let isDue = false
  return {
    changed() {
      if (isDue) return
      isDue = true
      // Once for all attributes that a page sets in a row.
      queueMicrotask(() => {
        isDue = false
        if (!host.isConnected) return
        close()
        close = openChat(host, root)
      })
    },
    close: () => close(),
  }
}

function openChat(host: WidgetHost, root: ShadowRoot): () => void {
  const language = languageOf(host)
  const say = createSay(language, (host.property("texts") ?? {}) as Partial<WidgetTexts>)
  const conversationId = conversationOf(host)
  const lost = h("p", { class: "lost", part: "connection", role: "status" })
  const setLost = (isLost: boolean): void => {
    lost.textContent = isLost ? say("connectionLost") : ""
  }
  const { client, server, now } = connect(host, (isReached) => setLost(!isReached))
  const chat = client.chat(conversationId)
  const source = createOwnStream({ client, agent: host.getAttribute("agent") ?? undefined })

  const live = h("p", { class: "sr", role: "status" })
  const announce = (words: string): void => {
    live.textContent = words
  }
  const list = h("div", {
    class: "list",
    part: "list",
    role: "log",
    "aria-live": "off",
    "aria-label": say("log"),
    tabindex: 0,
  })
  let reply: ReplyView | undefined
  let isUnderWay = false
  let replayed = false

  const stay = (change: () => void): void => {
    const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 48
    change()
    if (isAtEnd) list.scrollTop = list.scrollHeight
  }
  const createCard = (event: StreamEvent): QuestionCard =>
    createQuestionCard(event, {
      ...{ say, language, now, server, announce },
      async answer(answer) {
        const given = await client.answer({ conversationId, elicitationId: event.elicitationId, ...answer } as never)
        emit(host, "holdpoint-answer", { conversationId, elicitationId: event.elicitationId, action: answer.action })
        return given
      },
    })
  const onQuestion = (event: StreamEvent, card: QuestionCard): void => {
    announce(`${say("question")}: ${event.message}`)
    emit(host, "holdpoint-question", { conversationId, question: event })
    queueMicrotask(() => {
      card.element.scrollIntoView({ block: "nearest" })
      if (mayTakeFocus(host)) card.focus()
    })
  }
  const newReply = (): ReplyView => {
    const made = createReplyView({ say, createCard, onQuestion, onEnded: () => {} })
    list.append(made.element)
    return made
  }
  const showBusy = (): void => {
    if (!isUnderWay) composer.setBusy(undefined)
    else composer.setBusy(say((reply?.openQuestions() ?? 0) > 0 ? "waitForAnswer" : "waitForReply"))
  }
  const showMine = (text: string): HTMLElement => {
    const bubble = h("article", { class: "mine", part: "mine", "aria-label": say("you") }, h("p", {}, text))
    list.append(bubble)
    return bubble
  }
  const showError = (words: string, again: () => void): void => {
    const line = h("div", { class: "note error", part: "error", role: "alert" }, h("p", {}, words))
    line.append(
      button(say("tryAgain"), () => {
        line.remove()
        again()
      }),
    )
    stay(() => list.append(line))
  }

  const onEvent = (told: SourceEvent): void => {
    if (told.type === "connection") setLost(told.isLost)
    else if (told.type === "refused") showError(wordsOf(told.error), () => void load())
    else if (told.type === "idle") isUnderWay = false
    else
      stay(() => {
        if (!replayed) reply?.reset()
        replayed = true
        reply ??= newReply()
        reply.show(told.event)
        if (told.event.type === "end") {
          isUnderWay = false
          announce(reply.text() || say("ended"))
          emit(host, "holdpoint-end", { conversationId, status: told.event.status })
        }
      })
    showBusy()
  }

  const send = (text: string): void => {
    replayed = true
    isUnderWay = true
    const bubble = showMine(text)
    reply = newReply()
    const begun = reply
    list.scrollTop = list.scrollHeight
    showBusy()
    source.post(conversationId, text).catch((error: unknown) => {
      isUnderWay = false
      bubble.remove()
      begun.element.remove()
      reply = undefined
      composer.setText(text)
      showError(say("notSent", { why: wordsOf(error) }), () => {
        composer.setText("")
        send(text)
      })
      showBusy()
    })
  }
  const stop = (): void => {
    chat.stop().catch((error: unknown) => showError(wordsOf(error), stop))
  }
  const composer = createComposer({ say, onSend: send, onStop: stop })

  let unfollow = (): void => {}
  const load = async (): Promise<void> => {
    unfollow()
    try {
      const messages = await chat.messages()
      list.replaceChildren()
      for (const message of messages) {
        if (message.role === "user") {
          showMine(textOf(message))
          reply = undefined
        } else {
          reply = newReply()
          for (const event of toEvents(message)) reply.show(event)
          if (message !== messages.at(-1)) reply.show({ type: "end", status: "done" })
        }
      }
      isUnderWay = messages.length > 0
      replayed = false
      showBusy()
      list.scrollTop = list.scrollHeight
      unfollow = source.follow(conversationId, onEvent)
    } catch (error) {
      if (isNew(error)) unfollow = source.follow(conversationId, onEvent)
      else if (!isSignedOut(error)) showError(say("notLoaded", { why: wordsOf(error) }), () => void load())
    }
  }
  applyStyle(root)
  root.replaceChildren(h("div", { class: "chat", part: "chat" }, list, lost, composer.element, live))
  void load()
  return () => {
    unfollow()
    reply?.close()
  }
}

/** The conversation of the attribute, or the last one of this tab. */
function conversationOf(host: HTMLElement): string {
  const named = host.getAttribute("conversation")
  if (named !== null && named !== "") return named
  const key = `holdpoint-chat ${host.id}`
  const known = sessionStorage.getItem(key) ?? crypto.randomUUID()
  sessionStorage.setItem(key, known)
  return known
}

/** A question takes the focus only from the chat itself, and never from someone who is writing or answering. */
function mayTakeFocus(host: HTMLElement): boolean {
  const at = deepActiveElement()
  if (at === null || at === document.body) return true
  const isHere = at === host || at.getRootNode() === host.shadowRoot
  if (!isHere || at.closest(".card") !== null) return false
  return !(at instanceof HTMLTextAreaElement && at.value !== "")
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
const isNew = (error: unknown): boolean => error instanceof ClientError && error.status === 404
const isSignedOut = (error: unknown): boolean => error instanceof ClientError && error.status === 401
