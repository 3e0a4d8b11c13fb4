// Improves the pages: live updates, popup windows, local times, guarded buttons. Every page works without this script.

import { guardActs } from "./steady.mjs"

const query = (selector, root = document) => root.querySelector(selector)
const queryAll = (selector, root = document) => [...root.querySelectorAll(selector)]

let refreshInbox = () => {}

/** The functions that end the guards of forms. */
const guards = new WeakMap()

prepare(document)
query('[role="alert"]')?.focus()
reportToOpener()
offerToClose()
waitForProvider()
followInbox()

/** Prepares a page, or a question that was added to it later. */
function prepare(root) {
  showTimes(root)
  prepareForms(root)
  countDown(root)
}

async function countDown(root) {
  const countdowns = queryAll("[data-left]", root)
  if (countdowns.length === 0) return
  const countdown = await import("./countdown.js")
  for (const element of countdowns) countdown.countDown(element)
}

async function followInbox() {
  if (query("[data-events]") === null) return
  const { watchInbox } = await import("./inbox.js")
  refreshInbox = watchInbox(prepare)
}

/** Shows exact times in the person's time zone. */
function showTimes(root) {
  for (const exact of queryAll("[data-exact]", root)) {
    const options = exact.dataset.exact === "day" ? { dateStyle: "medium" } : {}
    const format = new Intl.DateTimeFormat("en-GB", { ...options, timeStyle: "short" })
    exact.textContent = `(${format.format(new Date(exact.parentElement.dateTime))})`
  }
}

function prepareForms(root) {
  for (const form of queryAll("form[data-opens]", root)) form.addEventListener("submit", openLogin)
  for (const form of queryAll("form[data-once]", root)) {
    form.addEventListener("submit", sendOnce)
    guard(form)
  }
  for (const input of queryAll("input[data-local]", root)) showLocal(input)
  for (const link of queryAll("a[data-popup]", root)) link.addEventListener("click", openPopup)
}

/** Guards the buttons of a form. From then on presses are judged here, and no longer by the server. */
function guard(form) {
  const elements = queryAll("button[type=submit]:not([hidden]), .buttons a", form)
  guards.set(form, guardActs(form.closest(".question") ?? form, { elements }))
  query("input[name=rendered]", form)?.remove()
}

/** Blocks a second submit; a page restored from the back/forward cache can be submitted again. */
function sendOnce(event) {
  const form = event.currentTarget
  if (form.dataset.sent !== undefined) return event.preventDefault()
  for (const input of queryAll("input[data-local]", form)) input.nextElementSibling.value = offsetAt(input.value)
  form.dataset.sent = ""
  guards.get(form)()
  for (const button of queryAll("button", form)) button.setAttribute("aria-disabled", "true")
  addEventListener("pageshow", ({ persisted }) => persisted && reopen(form), { once: true })
}

function reopen(form) {
  delete form.dataset.sent
  for (const button of queryAll("button", form)) button.removeAttribute("aria-disabled")
  guard(form)
}

/**
 * Opens the provider's login window during the click on Yes, because browsers block windows that open later. This page
 * then continues to the waiting page, which has a link to the login for people whose browser opened no window.
 */
async function openLogin(event) {
  const { currentTarget: form, submitter } = event
  if (form.dataset.sent !== undefined || !["continue", "needed"].includes(submitter?.value)) return
  const login = window.open("", "_blank", popupFeatures())
  if (login === null) return
  event.preventDefault()
  // The provider must not be able to change the page that opened it.
  login.opener = null
  const body = new URLSearchParams(new FormData(form, submitter))
  const response = await fetch(form.action, { method: "POST", body }).catch(() => undefined)
  const next = response?.redirected && new DOMParser().parseFromString(await response.text(), "text/html")
  const href = next && query("a[data-login]", next)?.href
  if (href) login.location.replace(href)
  else login.close()
  if (next) location.replace(response.url)
  else sendAgain(form, submitter)
}

/** Submits a form again, with the pressed button as a field: a script's submit leaves the button out. */
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
  const popup = window.open(address, "_blank", popupFeatures())
  if (popup === null) return
  event.preventDefault()
  addEventListener("message", ({ origin, source, data }) => {
    if (origin !== address.origin || source !== popup) return
    if (data?.type === "holdpoint" && data.id === link.dataset.popup) refreshInbox()
  })
}

/** The features of a popup window: the size for which the pages are made, in the middle over this window. */
function popupFeatures() {
  const [width, height] = [560, 780]
  const left = Math.round(screenX + Math.max(0, (outerWidth - width) / 2))
  const top = Math.round(screenY + Math.max(0, (outerHeight - height) / 2))
  return `popup,width=${width},height=${height},left=${left},top=${top}`
}

/** Posts the question's id and status to the page that opened this window, at the origin that the server named. */
function reportToOpener() {
  const { popupOrigin, popupId, popupStatus } = document.body.dataset
  if (popupOrigin === undefined || window.opener === null) return
  window.opener.postMessage({ type: "holdpoint", id: popupId, status: popupStatus }, popupOrigin)
}

/** Shows a close button in a window that a script opened. Browsers do not let scripts close other windows. */
function offerToClose() {
  const words = query("[data-close]")
  if (words === null || window.opener === null) return
  const button = document.createElement("button")
  button.type = "button"
  button.textContent = "Close this window"
  button.addEventListener("click", () => window.close())
  words.replaceChildren(button)
}

function waitForProvider() {
  const status = query("[data-status-url]")
  if (status === null) return
  const poll = async () => {
    try {
      const response = await fetch(status.dataset.statusUrl, { headers: { accept: "application/json" } })
      const { status: how, next } = response.ok ? await response.json() : { status: "gone" }
      if (how !== "waiting") return goOn(next)
    } catch {
      // A failed request is repeated, because the network may come back.
    }
    setTimeout(poll, 2_000)
  }
  setTimeout(poll, 1_000)
}

function goOn(next) {
  const address = new URL(next ?? location.href, location.href)
  if (address.origin === location.origin) location.replace(address)
}
