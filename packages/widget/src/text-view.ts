// A growing text on the page. Only changed blocks are replaced, so that a selection further up stays.

import type { Child } from "./dom.ts"
import { h } from "./dom.ts"
import type { Block, Piece, Pieces } from "./rich-text.ts"
import { toBlocks } from "./rich-text.ts"

export interface TextView {
  readonly element: HTMLElement
  add(text: string): void
  readonly text: () => string
}

export function createTextView(): TextView {
  const element = h("div", { class: "text", part: "text" })
  let text = ""
  let shownBlocks: string[] = []
  const show = (): void => {
    const blocks = toBlocks(text)
    const newBlocks = blocks.map((block) => JSON.stringify(block))
    const firstChanged = newBlocks.findIndex((block, index) => block !== shownBlocks[index])
    const startIndex = firstChanged < 0 ? newBlocks.length : firstChanged
    for (const node of [...element.children].slice(startIndex)) node.remove()
    element.append(...blocks.slice(startIndex).map(toElement))
    shownBlocks = newBlocks
  }
  return {
    element,
    add(addition) {
      text += addition
      show()
    },
    text: () => text,
  }
}

function toElement(block: Block): HTMLElement {
  switch (block.kind) {
    case "code":
      return h("pre", { part: "code", tabindex: 0 }, h("code", {}, block.text))
    case "list": {
      const items = block.items.map((pieces) => h("li", {}, ...toNodes(pieces)))
      return block.isOrdered ? h("ol", { start: block.start }, ...items) : h("ul", {}, ...items)
    }
    case "heading":
      return h("p", {}, h("strong", {}, ...block.lines.flatMap(toNodes)))
    case "paragraph":
      return h("p", {}, ...block.lines.flatMap((line, index) => [...(index === 0 ? [] : [h("br")]), ...toNodes(line)]))
  }
}

export const toNodes = (pieces: Pieces): readonly Child[] => pieces.map(toNode)

function toNode(piece: Piece): Child {
  switch (piece.kind) {
    case "text":
      return piece.text
    case "code":
      return h("code", {}, piece.text)
    case "strong":
      return h("strong", {}, piece.text)
    case "emphasis":
      return h("em", {}, piece.text)
    case "link": {
      const attributes = { href: piece.url, target: "_blank", rel: "noopener noreferrer", title: piece.url }
      return h(
        "a",
        attributes,
        piece.text,
        piece.host !== undefined && h("span", { class: "host" }, ` (${piece.host})`),
      )
    }
  }
}
