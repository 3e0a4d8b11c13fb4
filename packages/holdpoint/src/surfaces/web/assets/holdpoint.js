// Improves the pages: live updates, popup windows, local times. Every page works without this script.

const one = (selector, root = document) => root.querySelector(selector)
const all = (selector, root = document) => [...root.querySelectorAll(selector)]

showTimes(document)
prepareForms(document)
one('[role="alert"]')?.focus()
reportToOpener()
offerToClose()
waitForProvider()
watchInbox()

/** Shows exact times in the person's time zone. */
function showTimes(root) {
  for (const exact of all("[data-exact]", root)) {
    const options = exact.dataset.exact === "day" ? { dateStyle: "medium" } : {}
    const format = new Intl.DateTimeFormat("en-GB", { ...options, timeStyle: "short" })
    exact.textContent = `(${format.format(new Date(exact.parentElement.dateTime))})`
  }
}

function prepareForms(root) {
  for (const form of all("form[data-opens]", root)) form.addEventListener("submit", openLogin)
  for (const form of all("form[data-once]", root)) form.addEventListener("submit", sendOnce)
  for (const input of all("input[data-local]", root)) showLocal(input)
  for (const link of all("a[data-popup]", root)) link.addEventListener("click", openPopup)
}

/** Blocks a second submit; a page restored from the back/forward cache can be submitted again. */
function sendOnce(event) {
  const form = event.currentTarget
  if (form.dataset.sent !== undefined) return event.preventDefault()
  for (const input of all("input[data-local]", form)) input.nextElementSibling.value = offsetAt(input.value)
  form.dataset.sent = ""
  for (const button of all("button", form)) button.setAttribute("aria-disabled", "true")
  addEventListener("pageshow", ({ persisted }) => persisted && reopen(form), { once: true })
}

function reopen(form) {
  delete form.dataset.sent
  for (const button of all("button", form)) button.removeAttribute("aria-disabled")
}

/**
 * A yes that leads to a login at the provider opens its window in the same click, because browsers block it later. This
 * page goes on to the one that shows the code. Without a window, that page has a link.
 */
async function openLogin(event) {
  const { currentTarget: form, submitter } = event
  if (form.dataset.sent !== undefined || !["continue", "needed"].includes(submitter?.value)) return
  const login = window.open("", "_blank", "popup,width=560,height=760")
  if (login === null) return
  event.preventDefault()
  // The provider must not be able to change the page that opened it.
  login.opener = null
  const body = new URLSearchParams(new FormData(form, submitter))
  const response = await fetch(form.action, { method: "POST", body }).catch(() => undefined)
  const next = response?.redirected && new DOMParser().parseFromString(await response.text(), "text/html")
  const href = next && one("a[data-login]", next)?.href
  if (href) login.location.replace(href)
  else login.close()
  if (next) location.replace(response.url)
  else sendAgain(form, submitter)
}

/** Sends a form whose answer is a page of its own, with the button that was pressed. */
function sendAgain(form, { name, value }) {
  const pressed = document.createElement("input")
  Object.assign(pressed, { type: "hidden", name, value })
  form.append(pressed)
  form.submit()
}

/** Lets people type local dates and times; the UTC offset is added when the form is sent. */
function showLocal(input) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const hint = document.getElementById(`${input.id}-hint`)
  if (hint !== null) hint.textContent = `Your time (${zone.replaceAll("_", " ")}).`
  const at = new Date(`${input.value}Z`)
  if (input.value === "" || Number.isNaN(at.getTime())) return
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString()
  input.value = local.slice(0, input.value.length)
}

function offsetAt(value) {
  const minutes = -new Date(value).getTimezoneOffset()
  if (Number.isNaN(minutes)) return "Z"
  const pad = (part) => String(Math.floor(Math.abs(part))).padStart(2, "0")
  return `${minutes < 0 ? "-" : "+"}${pad(minutes / 60)}:${pad(minutes % 60)}`
}

/** Opens the link in a popup, during the click so that browsers allow it. A blocked popup becomes an ordinary link. */
function openPopup(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  const link = event.currentTarget
  const address = new URL(link.href)
  address.searchParams.set("popup", "self")
  const popup = window.open(address, "_blank", "popup,width=560,height=760")
  if (popup === null) return
  event.preventDefault()
  addEventListener("message", ({ origin, source, data }) => {
    if (origin !== address.origin || source !== popup) return
    if (data?.type === "holdpoint" && data.id === link.dataset.popup) refreshInbox()
  })
}

/** Posts the question's id and status to the page that opened this window, at the origin that the server named. */
function reportToOpener() {
  const { popupOrigin, popupId, popupStatus } = document.body.dataset
  if (popupOrigin === undefined || window.opener === null) return
  window.opener.postMessage({ type: "holdpoint", id: popupId, status: popupStatus }, popupOrigin)
}

/** Shows a close button, only in a window that a script opened: browsers let scripts close no other. */
function offerToClose() {
  const words = one("[data-close]")
  if (words === null || window.opener === null) return
  const button = document.createElement("button")
  button.type = "button"
  button.textContent = "Close this window"
  button.addEventListener("click", () => window.close())
  words.replaceChildren(button)
}

function waitForProvider() {
  const status = one("[data-status-url]")
  if (status === null) return
  const look = async () => {
    try {
      const response = await fetch(status.dataset.statusUrl, { headers: { accept: "application/json" } })
      const { status: how, next } = response.ok ? await response.json() : { status: "gone" }
      if (how !== "waiting") return goOn(next)
    } catch {
      // The network may come back.
    }
    setTimeout(look, 2_000)
  }
  setTimeout(look, 1_000)
}

function goOn(next) {
  const address = new URL(next ?? location.href, location.href)
  if (address.origin === location.origin) location.replace(address)
}

function watchInbox() {
  const place = one("[data-events]")
  if (place === null) return
  const events = new EventSource(place.dataset.events)
  events.addEventListener("message", refreshInbox)
  // Events from before the connection opened were missed.
  events.addEventListener("open", refreshInbox)
  // The server refused the stream, probably because the session ended: fetching the page leads to sign-in.
  events.addEventListener("error", () => events.readyState === EventSource.CLOSED && refreshInbox())
  addEventListener("pagehide", () => events.close())
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload())
}

let refreshing
let again = false

/** Runs one refresh at a time; requests during a refresh cause one more afterwards. */
async function refreshInbox() {
  if (refreshing !== undefined) {
    again = true
    return
  }
  refreshing = mergeInbox().catch(() => undefined)
  await refreshing
  refreshing = undefined
  if (again) {
    again = false
    await refreshInbox()
  }
}

/** Adds new questions and removes ended ones. A form that the person is filling in stays as it is. */
async function mergeInbox() {
  if (one("[data-events]") === null) return
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
    showTimes(added)
    prepareForms(added)
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
