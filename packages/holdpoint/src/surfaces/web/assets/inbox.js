// Keeps an open inbox up to date, without a reload: new questions are added, ended ones taken out, and a form that the
// person is filling in stays as it is.

import { followTogether } from "./shared-stream.js"

const one = (selector, root = document) => root.querySelector(selector)
const all = (selector, root = document) => [...root.querySelectorAll(selector)]

/** Calls `prepare` with each question that is added. Returns a function that refreshes the inbox now. */
export function watchInbox(prepare) {
  const { events, stream } = one("[data-events]").dataset
  const refresh = onceAtATime(() => mergeInbox(prepare))
  followTogether(events, { name: stream, onChange: refresh })
  return refresh
}

/** Runs one refresh at a time; requests during a refresh cause one more afterwards. */
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
async function mergeInbox(prepare) {
  const response = await fetch(location.href, { headers: { accept: "text/html" } })
  if (!response.ok || response.redirected) return location.reload()
  const next = new DOMParser().parseFromString(await response.text(), "text/html")
  const list = one(".questions")
  const now = new Map(all("[data-question]", next).map((item) => [item.dataset.question, item]))
  for (const item of all("[data-question]", list)) {
    if (!now.has(item.dataset.question)) takeOut(item)
  }
  for (const [id, item] of now) {
    if (one(`[data-question="${CSS.escape(id)}"]`, list) !== null) continue
    const added = document.importNode(item, true)
    list.append(added)
    prepare(added)
  }
  const words = one("[data-events]")
  const nextWords = one("[data-events]", next).textContent
  if (words.textContent !== nextWords) words.textContent = nextWords
  document.title = next.title
  document.body.className = next.body.className
}

/** Removes an ended question. If the person is working in it, a message replaces it and keeps the focus. */
function takeOut(item) {
  if (!item.contains(document.activeElement)) return item.remove()
  const words = document.createElement("p")
  words.tabIndex = -1
  words.textContent = "This question has ended: it was answered elsewhere, withdrawn or has expired."
  item.replaceChildren(words)
  delete item.dataset.question
  words.focus()
}
