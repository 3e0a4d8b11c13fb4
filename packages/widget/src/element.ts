// Defines custom elements from plain functions. This is the only class, because browsers require one for each element.
// Without a document it defines nothing, so that a page can be rendered on a server.

/** The content of an element while the element is connected to a page. */
export interface ElementView {
  /** Called after an attribute or a property has changed. */
  changed(name: string): void
  close(): void
}

export interface ElementKind {
  readonly tag: string
  readonly attributes: readonly string[]
  readonly properties: readonly string[]
  open(host: WidgetHost, root: ShadowRoot): ElementView
}

/** The interface of the element for its view. */
export interface WidgetHost extends HTMLElement {
  /** The value of a property that the kind declares. */
  property(name: string): unknown
}

export function defineElement(kind: ElementKind): void {
  if (!("customElements" in globalThis) || customElements.get(kind.tag) !== undefined) return
  class Widget extends HTMLElement implements WidgetHost {
    static readonly observedAttributes = kind.attributes
    readonly #values = new Map<string, unknown>()
    readonly #root = this.attachShadow({ mode: "open" })
    #view: ElementView | undefined

    connectedCallback(): void {
      // Reads properties that the page set before the element was defined.
      for (const name of kind.properties.filter((property) => Object.hasOwn(this, property))) {
        const value = Reflect.get(this, name)
        Reflect.deleteProperty(this, name)
        Reflect.set(this, name, value)
      }
      this.#view = kind.open(this, this.#root)
    }

    disconnectedCallback(): void {
      this.#view?.close()
      this.#view = undefined
      this.#root.replaceChildren()
    }

    attributeChangedCallback(name: string, oldValue: string | null, newValue: string | null): void {
      if (oldValue !== newValue) this.#view?.changed(name)
    }

    property(name: string): unknown {
      return this.#values.get(name)
    }

    setProperty(name: string, value: unknown): void {
      this.#values.set(name, value)
      this.#view?.changed(name)
    }
  }
  for (const name of kind.properties)
    Object.defineProperty(Widget.prototype, name, {
      get(this: Widget) {
        return this.property(name)
      },
      set(this: Widget, value: unknown) {
        this.setProperty(name, value)
      },
    })
  customElements.define(kind.tag, Widget)
}

/** Dispatches an event to the page. The event bubbles, and crosses the shadow roots around the element. */
export function emit(host: HTMLElement, type: string, detail: unknown): void {
  host.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
}
