// One event stream for all tabs of a browser, because a browser opens at most six connections to a server over
// HTTP/1.1, and each stream occupies one. The tab that holds a lock has the stream and passes events on. When it
// closes, another tab gets the lock.

/** How long the tab with the stream may take to answer before another tab takes over the stream. */
const answerMs = 2_000
const reopenMs = 5_000

/**
 * Calls `onChange` with the data of every event, and without data when events may have been missed. `name` is the same
 * in all tabs of one session, which share the stream. Returns a channel to these tabs.
 */
export function followTogether(address, { name, onChange }) {
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload())
  const channel = new BroadcastChannel(name)
  channel.addEventListener("message", ({ data }) => data.changed && onChange(data.event))
  addEventListener("pagehide", () => channel.close())
  // Browsers have locks only on pages from https or from this machine.
  if (navigator.locks === undefined) openStream(address, onChange)
  else takeTurns({ address, name, channel, onChange })
  return channel
}

function takeTurns({ address, name, channel, onChange }) {
  let close
  let queued
  let hasAnswer = false
  let isFollowing = false

  /** Opens the stream. Never resolves, so this tab has the lock until its page closes or another tab takes the lock. */
  const lead = () => {
    close = openStream(address, (event) => {
      channel.postMessage({ changed: true, event })
      onChange(event)
    })
    return new Promise(() => {})
  }
  const request = (options) =>
    navigator.locks.request(name, options, lead).catch(() => {
      if (options.signal?.aborted) return
      // Another tab has taken the stream, because this one did not answer.
      close?.()
      close = undefined
      queue()
    })
  const queue = () => {
    queued = new AbortController()
    request({ signal: queued.signal })
  }
  const steal = () => {
    queued.abort()
    request({ steal: true })
  }
  /** Takes over the stream if the tab that has it does not answer: browsers suspend tabs in the background. */
  const check = () => {
    if (document.hidden || close !== undefined) return
    hasAnswer = false
    channel.postMessage("there?")
    setTimeout(() => !hasAnswer && close === undefined && steal(), answerMs)
  }

  channel.addEventListener("message", ({ data }) => {
    if (data === "there") {
      hasAnswer = true
      // Another tab has the stream. Events from before this tab listened were missed.
      if (!isFollowing) onChange()
      isFollowing = true
    }
    if (data === "there?" && close !== undefined) channel.postMessage("there")
  })
  document.addEventListener("visibilitychange", check)
  queue()
  channel.postMessage("there?")
}

/** Opens the stream, and reopens it after an error. Returns a function that closes the stream. */
function openStream(address, onChange) {
  let events
  let isClosed = false
  const open = () => {
    if (isClosed) return
    events = new EventSource(address)
    events.addEventListener("message", ({ data }) => onChange(data))
    // Events from before the connection opened were missed.
    events.addEventListener("open", () => onChange())
    events.addEventListener("error", () => {
      if (events.readyState !== EventSource.CLOSED) return
      // The server refused the stream. If the session has ended, fetching the page leads to sign-in.
      onChange()
      setTimeout(open, reopenMs)
    })
  }
  const close = () => {
    isClosed = true
    events.close()
  }
  addEventListener("pagehide", close)
  open()
  return close
}
