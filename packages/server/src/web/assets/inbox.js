// Keeps an open inbox up to date, without a reload: new questions are added, ended ones taken out when this moves nothing
// under a pointer, and a form that the person is filling in stays as it is.

import { expire } from "./countdown.js"
import { offerNotifications } from "./notifications.js"
import { followTogether } from "./shared-stream.js"
import { keepHeight, whenAwayFrom } from "./steady.mjs"

const query = (selector, root = document) => root.querySelector(selector)
const queryAll = (selector, root = document) => [...root.querySelectorAll(selector)]

/** Keeps the inbox up to date, and calls `prepare` with each added question. Returns a function that refreshes it. */
export function watchInbox(prepare) {
  const status = query("[data-events]")
  const { events, stream } = status.dataset
  const ends = new Map()
  const refresh = onceAtATime(() => mergeInbox({ prepare, ends, notifications }))
  const onChange = (event) => {
    const { id, status: how } = event === undefined ? {} : JSON.parse(event)
    if (id !== undefined) ends.set(id, how)
    refresh()
  }
  const channel = followTogether(events, { name: stream, onChange })
  const notifications = offerNotifications(status, channel)
  return refresh
}

/** Returns a function that runs `work`, once at a time. Calls while it runs cause one more run afterwards. */
function onceAtATime(work) {
  let running
  let again = false
  const run = async () => {
    if (running !== undefined) {
      again = true
      return
    }
    running = work().catch(() => undefined)
    await running
    running = undefined
    if (!again) return
    again = false
    await run()
  }
  return run
}

/** Adds new questions and removes ended ones. */
async function mergeInbox({ prepare, ends, notifications }) {
  const response = await fetch(location.href, { headers: { accept: "text/html" } })
  if (!response.ok || response.redirected) return location.reload()
  const next = new DOMParser().parseFromString(await response.text(), "text/html")
  const list = query(".questions")
  const openItems = new Map(queryAll("[data-question]", next).map((item) => [item.dataset.question, item]))
  for (const item of queryAll("[data-question]", list)) {
    const { question } = item.dataset
    if (openItems.has(question)) continue
    notifications.ended(question)
    takeOut(item, ends.get(question))
  }
  for (const [id, item] of openItems) {
    const known = query(`[data-question="${CSS.escape(id)}"]`, list)
    if (known !== null) {
      moveDeadline(known, item, prepare)
      continue
    }
    const added = document.importNode(item, true)
    list.append(added)
    prepare(added)
    notifications.arrived(added)
  }
  const words = query("[data-events]")
  const nextWords = query("[data-events]", next).textContent
  if (words.textContent !== nextWords) words.textContent = nextWords
  document.title = next.title
  document.body.className = next.body.className
}

/** Shows the new deadline of a question: a Yes to a link gives the person more time. */
function moveDeadline(known, item, prepare) {
  const [before, after] = [query("[data-left]", known), query("[data-left]", item)]
  if (query("time", before).dateTime === query("time", after).dateTime) return
  const moved = document.importNode(after, true)
  before.replaceWith(moved)
  query(".countdown", known)?.remove()
  prepare(moved.parentElement)
}

/**
 * Takes out an ended question. Its place says how it ended, and stays as high as it was, so that no other question moves
 * under a pointer, until the mouse has left the list. A message that has the focus stays on the page. An expired question
 * says that its time is over, and stays until the page is loaded again.
 */
function takeOut(item, status) {
  delete item.dataset.question
  if (status === "expired") return void (item.classList.contains("expired") || expire(item))
  if (item.classList.contains("expired")) return
  const hadFocus = item.contains(document.activeElement)
  const releaseHeight = keepHeight(item)
  const words = document.createElement("p")
  words.tabIndex = -1
  words.textContent = `This question has ended: ${endWords[status] ?? "it was answered elsewhere, withdrawn or has expired"}.`
  item.replaceChildren(words)
  if (hadFocus) words.focus()
  whenAwayFrom(item.parentElement, () => (words === document.activeElement ? releaseHeight() : item.remove()))
}

const endWords = {
  completed: "it was answered elsewhere",
  declined: "it was declined elsewhere",
  cancelled: "it was withdrawn",
}
