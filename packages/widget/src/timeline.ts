// `<holdpoint-timeline>`: the steps behind a conversation, such as calls, questions and pauses, shown as they happen.

import type { TimelineItem } from "@holdpoint/hub/stream"
import { connect } from "./connection.ts"
import { h } from "./dom.ts"
import type { ElementKind, ElementView, WidgetHost } from "./element.ts"
import { errorText } from "./error-text.ts"
import { wordingOf } from "./host-wording.ts"
import { isRefused } from "./refusals.ts"
import { openSharedEvents } from "./shared-stream.ts"
import { applyStyle } from "./style.ts"
import type { Wording } from "./texts.ts"
import { wordsOfStep } from "./timeline-words.ts"

export const timelineKind: ElementKind = {
  tag: "holdpoint-timeline",
  attributes: ["server", "conversation", "lang", "token-url"],
  properties: ["items", "token", "texts"],
  open(host, root) {
    let view = openTimeline(host, root)
    return {
      changed(name) {
        view.close()
        view = openTimeline(host, root)
        view.changed(name)
      },
      close: () => view.close(),
    }
  },
}

function openTimeline(host: WidgetHost, root: ShadowRoot): ElementView {
  const wording = wordingOf(host)
  const list = h("ol", { class: "steps", part: "steps", "aria-label": wording.translate("timeline") })
  const shownSteps = new Map<number, HTMLElement>()
  const add = (item: TimelineItem): void => {
    const step = shownSteps.has(item.number) ? undefined : createStep(item, wording)
    if (step === undefined) return
    // Items may arrive out of order, because some are loaded and others come by the stream.
    const nextStep = [...shownSteps].filter(([number]) => number > item.number).sort(([a], [b]) => a - b)[0]?.[1]
    list.insertBefore(step, nextStep ?? null)
    shownSteps.set(item.number, step)
  }
  const errorNote = h("p", { class: "told", part: "error", role: "status" })
  const showLoadResult = (error?: unknown): void => {
    // A refusal is not an error: a conversation that has not begun has no timeline yet.
    const isFailure = error !== undefined && !isRefused(error)
    errorNote.textContent = isFailure
      ? wording.translate("notLoaded", { why: errorText(error, wording.translate) })
      : ""
  }
  applyStyle(root)
  root.replaceChildren(list, errorNote)
  const items = host.property("items")
  if (Array.isArray(items)) for (const item of items as readonly TimelineItem[]) add(item)
  const conversation = host.getAttribute("conversation")
  const stop =
    conversation === null || items !== undefined ? () => {} : follow(host, conversation, { add, showLoadResult })
  return { changed: () => {}, close: stop }
}

interface Steps {
  add(item: TimelineItem): void
  /** Called after loading the earlier steps, with the error if loading failed. */
  showLoadResult(error?: unknown): void
}

/** Follows the stream. Loads all earlier steps at each connection, because the stream may have missed some. */
function follow(host: WidgetHost, conversation: string, { add, showLoadResult }: Steps): () => void {
  const { client, streamName } = connect(host, () => {})
  const events = openSharedEvents(streamName(conversation), client)
  let isClosed = false
  const load = async (): Promise<void> => {
    const items = await client.chat(conversation).timeline()
    if (!isClosed) for (const item of items) add(item)
  }
  const unsubscribe = events.follow(conversation, {
    event(event) {
      if (event.type === "timeline") add(event.item)
    },
    state(state) {
      if (state === "connected") load().then(() => showLoadResult(), showLoadResult)
    },
  })
  return () => {
    isClosed = true
    unsubscribe()
    events.close()
  }
}

/** The list item of a step; undefined for a step of an unknown kind. */
function createStep(item: TimelineItem, { translate, language }: Wording): HTMLElement | undefined {
  const step = wordsOfStep(item, translate)
  if (step === undefined) return undefined
  const date = new Date(item.at)
  const time = date.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second: "2-digit" })
  return h(
    "li",
    { class: "step", part: "step", "data-kind": item.kind, "data-tone": step.tone },
    ...[h("span", { class: "words" }, step.words), h("time", { datetime: item.at }, time)],
  )
}
