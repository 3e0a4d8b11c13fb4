// The style sheet of all elements, shared by their shadow roots. Pages change it with `--holdpoint-…` variables and
// parts.

const css = `
:host {
  --paper: var(--holdpoint-paper, light-dark(#f5f4ef, #10171b));
  --surface: var(--holdpoint-surface, light-dark(#ffffff, #182126));
  --sunken: var(--holdpoint-sunken, light-dark(#f1f0ea, #121a1e));
  --ink: var(--holdpoint-ink, light-dark(#182126, #ecebe5));
  --muted: var(--holdpoint-muted, light-dark(#545e65, #a9b2b7));
  --rule: var(--holdpoint-rule, light-dark(#dedcd3, #2c383e));
  --edge: var(--holdpoint-edge, light-dark(#7a8288, #77848b));
  --accent: var(--holdpoint-accent, light-dark(#0e5266, #8fd3e4));
  --accent-strong: var(--holdpoint-accent-strong, light-dark(#093d4d, #b3e3ef));
  --on-accent: var(--holdpoint-on-accent, light-dark(#ffffff, #0a2029));
  --amber: var(--holdpoint-amber, #f2b705);
  --amber-wash: var(--holdpoint-amber-wash, light-dark(#fdf4d7, #2d2610));
  --amber-ink: var(--holdpoint-amber-ink, light-dark(#6a4b00, #f3cf6b));
  --good: var(--holdpoint-good, light-dark(#1a6b41, #7fd6a6));
  --bad: var(--holdpoint-bad, light-dark(#9c2a1f, #ffa79b));
  --bad-wash: var(--holdpoint-bad-wash, light-dark(#fcefec, #351a17));
  --radius: var(--holdpoint-radius, 10px);
  --round: var(--holdpoint-round, 14px);
  display: block;
  container-type: inline-size;
  color: var(--ink);
  font: var(--holdpoint-font, 1rem/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif);
  overflow-wrap: anywhere;
}
:host([hidden]) { display: none; }
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
h2, h3, h4, h5, h6, p, ul, ol, pre { margin: 0; padding: 0; font: inherit; }
ul, ol { padding-inline-start: 1.375rem; }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
.host { color: var(--muted); font-size: 0.9375em; }
code, pre { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", monospace; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.title:focus { outline: none; }
.sr { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.chat { display: flex; flex-direction: column; block-size: 100%; min-block-size: 22rem; position: relative; background: var(--paper); border-radius: inherit; overflow: hidden; }
.list { flex: 1 1 auto; min-block-size: 0; overflow-y: auto; overscroll-behavior: contain; padding: 1.25rem 1rem; }
.messages { display: flex; flex-direction: column; gap: 1.125rem; }
.mine { align-self: flex-end; max-inline-size: min(85%, 36rem); padding: 0.5625rem 1rem; border-radius: var(--round); border-end-end-radius: 4px; background: var(--accent); color: var(--on-accent); white-space: pre-wrap; }
.reply { align-self: stretch; max-inline-size: 42rem; inline-size: 100%; }
.reply-body, .text, .card, .body, .fields { display: grid; gap: 0.75rem; grid-template-columns: minmax(0, 1fr); }
.text li + li { margin-block-start: 0.25rem; }
.text pre { padding: 0.625rem 0.75rem; border-radius: var(--radius); background: var(--sunken); overflow-x: auto; }
.text :not(pre) > code { padding: 0.0625rem 0.3125rem; border-radius: 5px; background: var(--sunken); }
.tool, .working, .note, .left, .hint, .told, .address, .asker, .about { font-size: 0.9375rem; color: var(--muted); }
.tool { display: flex; align-items: center; gap: 0.5rem; font-size: 0.875rem; }
.tool::before { content: ""; flex: none; inline-size: 0.4375rem; block-size: 0.4375rem; border-radius: 50%; background: var(--edge); }
.tool[data-state="toolCalling"]::before { background: var(--amber); }
.tool[data-state="toolDone"]::before { background: var(--good); }
.tool[data-state="toolFailed"]::before { background: var(--bad); }
.working { display: flex; align-items: center; gap: 0.625rem; margin-block-start: 0.75rem; }
.reply-body:empty + .working { margin-block-start: 0; }
.dots { flex: none; inline-size: 2rem; block-size: 4px; background: repeating-linear-gradient(90deg, var(--amber) 0 8px, transparent 8px 12px); }
.note.error { padding: 0.875rem 1rem; border: 1px solid var(--bad); border-radius: var(--radius); background: var(--bad-wash); color: var(--ink); display: grid; gap: 0.75rem; justify-items: start; }
.suggestions { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.suggestions button { border-radius: 999px; border-color: var(--rule); background: var(--surface); font-weight: 500; min-block-size: 2.5rem; padding-inline: 1rem; text-align: start; }
.suggestions button:hover { border-color: var(--accent); }

.card { padding: 1.125rem 1.25rem; border: 1px solid var(--rule); border-inline-start: 4px solid var(--amber); border-radius: var(--round); background: var(--surface); box-shadow: 0 1px 2px rgb(22 36 43 / 6%), 0 12px 32px -16px rgb(22 36 43 / 18%); }
.card:not([data-state="open"], [data-state="sending"]) { border-inline-start-color: var(--edge); box-shadow: none; }
.card[data-state="completed"] { border-inline-start-color: var(--good); }
.card[data-state="failed"] { border-inline-start-color: var(--bad); }
.card .title { font-size: 1.0625rem; font-weight: 650; line-height: 1.35; letter-spacing: -0.006em; }
.asker { font-weight: 600; color: var(--amber-ink); margin-block-end: -0.5rem; }
.details { white-space: pre-wrap; padding: 0.625rem 0.75rem; border-radius: var(--radius); background: var(--sunken); max-block-size: min(14rem, 30vh); overflow: auto; font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", monospace; }
.address b { color: var(--ink); }
.body:empty { display: none; }
.body[inert] { opacity: 0.6; }
.foot { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 1rem; margin-block-start: 0.25rem; }
.ending { display: flex; align-items: center; gap: 0.5rem; font-weight: 600; color: var(--muted); }
[data-state="completed"] .ending { color: var(--good); }
[data-state="completed"] .ending::before { content: ""; flex: none; inline-size: 0.75rem; block-size: 0.375rem; border: solid; border-width: 0 0 2px 2px; rotate: -45deg; translate: 0 -0.125rem; }
[data-state="failed"] .ending { color: var(--bad); }
.left { font-size: 0.875rem; min-block-size: 1.375rem; }
.left.soon { padding-inline: 0.5625rem; border-radius: 999px; background: var(--amber-wash); color: var(--amber-ink); font-weight: 600; font-variant-numeric: tabular-nums; }
.told:empty { display: none; }

.field { border: 0; margin: 0; padding: 0; min-inline-size: 0; }
.fields { gap: 1.125rem; }
label, legend { font-weight: 600; padding: 0; }
.tick label { font-weight: 400; }
.field > .tick label { font-weight: 600; }
.reason label { font-size: 0.9375rem; font-weight: 400; color: var(--muted); }
.optional { font-size: 0.875rem; font-weight: 400; color: var(--muted); }
.options { display: grid; gap: 0.125rem; margin-block-start: 0.375rem; }
.tick { display: grid; grid-template-columns: auto 1fr; gap: 0.625rem; align-items: start; padding-block: 0.3125rem; }
.tick input { inline-size: 1.25rem; block-size: 1.25rem; margin: 0.15rem 0 0; }
textarea, input, select { font: inherit; color: inherit; accent-color: var(--accent); }
textarea, select, input:not([type="checkbox"], [type="radio"]) { display: block; inline-size: 100%; min-block-size: 2.75rem; margin: 0; padding: 0.5rem 0.75rem; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--surface); }
.field :is(textarea, select, input:not([type="checkbox"], [type="radio"], [type="hidden"])) { margin-block-start: 0.375rem; }
input[type="hidden"] { display: none !important; }
input[type="number"], input[type="date"], input[type="datetime-local"] { max-inline-size: 17rem; }
.field textarea { resize: vertical; }
.field textarea.code, .field textarea[spellcheck="false"] { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.875rem; }
textarea:focus, select:focus, input:not([type="checkbox"], [type="radio"]):focus { outline: 3px solid var(--accent); outline-offset: 0; border-color: var(--accent); }
[aria-invalid]:not([type="checkbox"], [type="radio"], fieldset) { border-color: var(--bad) !important; border-width: 2px !important; }
.problem { color: var(--bad); font-weight: 600; margin-block-start: 0.375rem; }
.notice.bad { padding: 0.75rem 1rem; border: 2px solid var(--bad); border-radius: var(--radius); background: var(--bad-wash); }
.notice.bad:focus { outline: none; }
.notice.bad a { color: var(--bad); }

.buttons { display: flex; flex-wrap: wrap; gap: 0.625rem; align-items: center; min-block-size: 2.75rem; }
button { display: inline-flex; align-items: center; justify-content: center; min-block-size: 2.75rem; padding: 0.375rem 1.125rem; border: 1px solid var(--edge); border-radius: var(--radius); background: transparent; color: var(--ink); font: inherit; font-weight: 600; line-height: 1.3; cursor: pointer; }
button:hover { background: var(--sunken); }
.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.primary:hover { border-color: var(--accent-strong); background: var(--accent-strong); color: var(--on-accent); }
[data-state="sending"] button, button[aria-disabled="true"] { opacity: 0.6; cursor: progress; }
:has(> .not-counted) { position: relative; }
.not-counted { position: absolute; inset-block-end: calc(100% + 0.25rem); inset-inline-start: 0; z-index: 1; max-inline-size: 100%; border-radius: var(--radius); background: var(--ink); color: var(--surface); padding: 0.5rem 0.75rem; font-size: 0.9375rem; pointer-events: none; }

.composer { padding: 0.75rem 1rem 0.5rem; border-block-start: 1px solid var(--rule); }
.line { display: flex; gap: 0.625rem; align-items: flex-end; }
.line textarea { flex: 1; min-inline-size: 0; resize: none; }
::placeholder { color: var(--muted); opacity: 1; }
.under { min-block-size: 1.625rem; padding-block-start: 0.25rem; }
.hint { font-size: 0.875rem; }
.lost { color: var(--amber-ink); }
.sure { display: grid; gap: 0.625rem; padding-block-end: 0.75rem; }
.sure p:focus { outline: none; }

.steps { list-style: none; padding: 0; font-size: 0.9375rem; }
.step { position: relative; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding-block: 0.3125rem; padding-inline-start: 1.375rem; }
.step::before { content: ""; position: absolute; inset-inline-start: 0.1875rem; inset-block-start: 0.8125rem; inline-size: 0.5625rem; block-size: 0.5625rem; border-radius: 50%; background: var(--edge); }
.step:not(:last-child)::after { content: ""; position: absolute; inset-inline-start: 0.40625rem; inset-block: 1.5rem -0.6875rem; inline-size: 2px; background: var(--rule); }
.step .words { flex: 1 1 12rem; }
.step time { color: var(--muted); font-size: 0.875rem; font-variant-numeric: tabular-nums; }
.step[data-tone="quiet"] .words { color: var(--muted); }
.step[data-tone="ask"]::before { background: var(--amber); }
.step[data-tone="good"]::before { background: var(--good); }
.step[data-tone="bad"]::before { background: var(--bad); }
.step[data-tone="run"] .words { font-weight: 600; }

@container (max-width: 30rem) {
  .card .buttons { inline-size: 100%; }
  .card .buttons > button { flex: 1 1 auto; }
}
@media (forced-colors: active) {
  .dots, .tool::before { forced-color-adjust: none; }
}
@media (prefers-reduced-motion: no-preference) {
  .dots { animation: run 900ms linear infinite; }
  button { transition: background-color 120ms; }
}
@keyframes run { to { background-position-x: 12px; } }
`

let sheet: CSSStyleSheet | undefined

/** Applies a constructed style sheet, so that a page's content security policy need not allow inline styles. */
export function applyStyle(root: ShadowRoot): void {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
  }
  root.adoptedStyleSheets = [sheet]
}
