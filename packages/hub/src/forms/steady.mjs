// Guards acts, the buttons and links that answer a question, against accidents: a press counts only on an act that has
// stood still and in view for 700 ms before the press began, and never where the press before it was made. The pages
// load this file as it is; the widget and the demo's panel bundle it.

/** How long an act must have stood still and in view. */
const stillMs = 700
/** How often places are measured. A move between two measurements is found at the press. */
const measureMs = 100
/** How long the place of a press is closed to other acts, unless the pointer leaves the place before. */
const placeMs = 3_000
/** How far the pointer has to move to leave a place, and the margin of an act around its edges, in pixels. */
const [leavePixels, marginPixels] = [32, 8]
/** The place of the last press, for the next page in the same window. */
const placeKey = "holdpoint.press"

/**
 * The clock of the guard. Tests replace it by setting `holdpointClock` on the window before the page loads. Only a
 * script of the page itself can do that; no address and no setting can.
 */
const clock = globalThis.holdpointClock ?? {
  now: () => performance.timeOrigin + performance.now(),
  after: (ms, run) => setTimeout(run, ms),
}

const englishWords =
  "Not counted: this had just appeared or moved here. Wait a moment or move the pointer away, then press again."

/** The guarded acts, by their elements. */
const acts = new Map()
/** Changes that wait until the pointer is elsewhere, each with the condition for it. */
const heldChanges = new Map()
/** Where a mouse or pen is, or the finger that is down; undefined when that is not known. */
let pointer
/** Where the last press was made, and on which act it counted. */
let place
/** The last press of the pointer, until its click; the key that is down. Each is the acts for which it counts. */
let pointerPress
let keyPress
let isListening = false
let isMeasuring = false

/**
 * Guards the acts of a card. An act is `aria-disabled` while a press on it does not count, and such a press shows why.
 * Returns a function that ends the guard.
 */
export function guardActs(card, { elements, words = englishWords }) {
  listen()
  for (const element of elements) {
    acts.set(element, { element, card, words, box: boxOf(element), since: clock.now() })
    element.setAttribute("aria-disabled", "true")
  }
  measureSoon()
  return () => {
    for (const element of elements) {
      acts.get(element)?.note?.remove()
      if (acts.delete(element)) element.removeAttribute("aria-disabled")
    }
  }
}

/** Makes a change that may move acts: now, or when the pointer is over none. The same function waits only once. */
export function whenOffActs(change) {
  hold(change, () => !isOverActs())
}

/**
 * Makes a change that may move what is in `zone`: when a mouse is outside of it, or when the page is hidden. A finger
 * that is aiming cannot be seen, so on a touch screen the change waits until the page is left.
 */
export function whenAwayFrom(zone, change) {
  hold(change, () => document.visibilityState === "hidden" || (pointer?.canHover && !isIn(boxOf(zone), pointer)))
}

/** Fixes the height of an element at its current one. Returns a function that ends this. */
export function keepHeight(element) {
  element.style.minBlockSize = `${element.getBoundingClientRect().height}px`
  return () => element.style.removeProperty("min-block-size")
}

function hold(change, isFree) {
  listen()
  if (isFree()) return change()
  heldChanges.set(change, isFree)
  measureSoon()
}

function makeHeldChanges() {
  for (const [change, isFree] of heldChanges) {
    if (!isFree()) continue
    heldChanges.delete(change)
    change()
  }
}

/** Says why a press did not count, until one would count. It takes no space, so that nothing moves. */
function explain(act) {
  act.note?.remove()
  act.note = document.createElement("p")
  act.note.className = "not-counted"
  act.note.setAttribute("role", "alert")
  act.note.textContent = act.words
  act.element.parentElement.append(act.note)
}

function measureSoon() {
  if (isMeasuring) return
  isMeasuring = true
  clock.after(measureMs, () => {
    isMeasuring = false
    for (const act of acts.values()) showState(act)
    makeHeldChanges()
    if (acts.size > 0 || heldChanges.size > 0) measureSoon()
  })
}

function showState(act) {
  const { element } = act
  if (!element.isConnected) return void acts.delete(element)
  // What is out of view cannot be pressed yet, but screen readers read it: they must not call it unavailable.
  const isInert = !isReady(act) && act.isInView
  if (isInert === (element.getAttribute("aria-disabled") === "true")) return
  if (isInert) return element.setAttribute("aria-disabled", "true")
  element.removeAttribute("aria-disabled")
  act.note?.remove()
}

/** Whether a press on an act that begins now counts. */
function isReady(act) {
  const box = boxOf(act.element)
  const isStill = box.every((side, index) => Math.abs(side - act.box[index]) <= 1)
  act.isInView = isInView(act.element, box)
  if (!isStill || !act.isInView) Object.assign(act, { box, since: clock.now() })
  return clock.now() - act.since >= stillMs && !isUnderLastPress(act, box)
}

function boxOf(element) {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  return [left, top, right, bottom]
}

const isIn = ([left, top, right, bottom], { x, y }, margin = 0) =>
  x >= left - margin && x <= right + margin && y >= top - margin && y <= bottom + margin

/** Whether the middle of an element is in the window, and nothing covers it. */
function isInView(element, [left, top, right, bottom]) {
  if (document.visibilityState !== "visible" || left === right) return false
  const topmost = element.getRootNode().elementFromPoint((left + right) / 2, (top + bottom) / 2)
  return topmost !== null && element.contains(topmost)
}

const isUnderLastPress = ({ element }, box) =>
  place !== undefined && place.element !== element && clock.now() - place.at < placeMs && isIn(box, place, marginPixels)

const isOverActs = () =>
  pointer !== undefined && [...acts.keys()].some((element) => isIn(boxOf(element), pointer, marginPixels))

function listen() {
  if (isListening) return
  isListening = true
  place = takePlace()
  const listeners = {
    pointerdown,
    pointermove,
    pointerup,
    pointercancel: pointerup,
    mouseout,
    keydown,
    keyup,
    click,
    pagehide,
    pageshow,
    visibilitychange: makeHeldChanges,
  }
  for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener, true)
}

const actOf = (event) => acts.get(event.composedPath().find((node) => acts.has(node)))

function pointerdown(event) {
  const act = actOf(event)
  pointerPress = new Set(act !== undefined && isReady(act) ? [act] : [])
  keyPress = undefined
  place = { x: event.clientX, y: event.clientY, at: clock.now(), element: [...pointerPress][0]?.element }
  follow(event)
}

function pointermove(event) {
  follow(event)
  const { x, y, canHover } = pointer
  if (canHover && place !== undefined && Math.hypot(x - place.x, y - place.y) > leavePixels) place = undefined
  if (heldChanges.size > 0) makeHeldChanges()
}

function follow({ clientX: x, clientY: y, pointerType }) {
  pointer = { x, y, canHover: pointerType !== "touch" }
}

function pointerup({ pointerType }) {
  if (pointerType === "touch") pointer = undefined
}

/** The mouse may have left the window. */
function mouseout({ relatedTarget }) {
  if (relatedTarget === null && pointer?.canHover) pointer = { x: -1_000, y: -1_000, canHover: true }
}

function keydown(event) {
  if (!presses(event)) {
    place = undefined
    return
  }
  // A key that was held before this page or this card came has pressed nothing here.
  if (event.repeat) {
    keyPress ??= new Set()
    return
  }
  const path = event.composedPath()
  keyPress = new Set([...acts.values()].filter((act) => path.includes(act.card) && isReady(act)))
}

/** The click of a space follows its release. */
function keyup(event) {
  const released = keyPress
  if (!presses(event)) return
  setTimeout(() => {
    if (keyPress === released) keyPress = undefined
  })
}

const presses = ({ key }) => key === "Enter" || key === " "

function click(event) {
  const act = actOf(event)
  if (act === undefined) return
  if (counts(act, event.detail === 0)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  act.element.scrollIntoView({ block: "nearest" })
  explain(act)
}

/** Whether a click counts. A press counts once: a key that is held clicks again and again. */
function counts(act, isByKey) {
  const press = isByKey ? keyPress : pointerPress
  if (!isByKey) pointerPress = undefined
  // A click without a press comes from assistive technology.
  return press === undefined ? isReady(act) : press.delete(act)
}

function pagehide() {
  if (place !== undefined) storage()?.setItem(placeKey, [place.x, place.y, place.at].join(" "))
}

/** A page that comes back from the browser's memory has just appeared. */
function pageshow({ persisted }) {
  if (persisted) for (const act of acts.values()) act.since = clock.now()
}

function takePlace() {
  const [x, y, at] = (storage()?.getItem(placeKey) ?? "").split(" ").map(Number)
  storage()?.removeItem(placeKey)
  return at === undefined ? undefined : { x, y, at }
}

/** Undefined where the browser refuses it, as in a sandboxed frame: the place is then not carried to the next page. */
function storage() {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}
