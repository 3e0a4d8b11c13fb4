// `<holdpoint-timeline>`: what happens underneath a conversation, step by step, as it happens.

import type { TimelineItem } from "@holdpoint/sdk/stream"
import { connect } from "./connection.ts"
import { h } from "./dom.ts"
import type { ElementKind, ElementView, WidgetHost } from "./element.ts"
import { wordsOf } from "./failure.ts"
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
  const list = h("ol", { class: "steps", part: "steps", "aria-label": wording.say("timeline") })
  const known = new Map<number, HTMLElement>()
  const add = (item: TimelineItem): void => {
    const step = known.has(item.number) ? undefined : createStep(item, wording)
    if (step === undefined) return
    // Items may arrive in another order than they happened: some are loaded, others are told.
    const next = [...known].filter(([number]) => number > item.number).sort(([a], [b]) => a - b)[0]?.[1]
    list.insertBefore(step, next ?? null)
    known.set(item.number, step)
  }
  const lost = h("p", { class: "told", part: "error", role: "status" })
  const loaded = (error?: unknown): void => {
    // A conversation that has not begun has no timeline; its steps are told when it begins.
    const isFailure = error !== undefined && !isRefused(error)
    lost.textContent = isFailure ? wording.say("notLoaded", { why: wordsOf(error, wording.say) }) : ""
  }
  applyStyle(root)
  root.replaceChildren(list, lost)
  const own = host.property("items")
  if (Array.isArray(own)) for (const item of own as readonly TimelineItem[]) add(item)
  const conversation = host.getAttribute("conversation")
  const stop = conversation === null || own !== undefined ? () => {} : follow(host, conversation, { add, loaded })
  return { changed: () => {}, close: stop }
}

interface Steps {
  add(item: TimelineItem): void
  /** The steps so far were loaded, or could not be. */
  loaded(error?: unknown): void
}

/** Loads the steps so far whenever the stream is connected, because some may have been missed before. */
function follow(host: WidgetHost, conversation: string, { add, loaded }: Steps): () => void {
  const { client, streamName } = connect(host, () => {})
  const events = openSharedEvents(streamName(conversation), client)
  let isOver = false
  const load = async (): Promise<void> => {
    const items = await client.chat(conversation).timeline()
    if (!isOver) for (const item of items) add(item)
  }
  const unfollow = events.follow(conversation, {
    event(event) {
      if (event.type === "timeline") add(event.item)
    },
    state(state) {
      if (state === "connected") load().then(() => loaded(), loaded)
    },
  })
  return () => {
    isOver = true
    unfollow()
    events.close()
  }
}

/** Undefined for steps of kinds that are not known. */
function createStep(item: TimelineItem, { say, language }: Wording): HTMLElement | undefined {
  const step = wordsOfStep(item, say)
  if (step === undefined) return undefined
  const at = new Date(item.at)
  const time = at.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second: "2-digit" })
  return h(
    "li",
    { class: "step", part: "step", "data-kind": item.kind, "data-tone": step.tone },
    ...[h("span", { class: "words" }, step.words), h("time", { datetime: item.at }, time)],
  )
}
