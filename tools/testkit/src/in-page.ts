// Scripts that tests run inside a page, as text, because Node has no document.

/** Opens all collapsible parts of the page. */
export const openEverything = `for (const one of document.querySelectorAll("details")) one.open = true`

export const scrollsSideways = "document.documentElement.scrollWidth > innerWidth"

export const loseFocus = "document.activeElement?.blur()"

/** Describes the focused element; null when the focus is outside of the page. An outline needs at least two pixels. */
export const whereFocusIs = `(() => {
  const at = document.activeElement
  if (at === null || at === document.body) return null
  const { outlineStyle, outlineWidth } = getComputedStyle(at)
  const box = at.getBoundingClientRect()
  const seen = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && box.width > 0 && box.height > 0
  const words = at.labels?.[0]?.innerText ?? at.innerText ?? at.id
  return { words: words.replace(/ \\*$/, "").trim(), id: at.id, role: at.getAttribute("role"), seen }
})()`

/** Moves the focus to each element that Tab reaches, after a Tab, and describes each. */
export const focusOnEach = `[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
  .filter((one) => one.tabIndex >= 0 && one.checkVisibility())
  .flatMap((one) => {
    one.focus()
    return ${whereFocusIs} ?? []
  })`
