// How the editor looks: the page's own colours, in light and dark.
import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const ink = (name: string) => `var(--${name})`;

export const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: ink('code-name') },
  { tag: [tags.string, tags.content], color: ink('code-text') },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: ink('code-value') },
  { tag: tags.comment, color: ink('quiet') },
  { tag: [tags.punctuation, tags.separator, tags.bracket], color: ink('quiet') },
]);

export const looks = EditorView.theme({
  '&': { color: ink('ink'), backgroundColor: ink('field'), fontSize: '13px' },
  '&.cm-focused': { outline: `2px solid ${ink('focus')}`, outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: ink('mono'), lineHeight: '1.55' },
  '.cm-content': { caretColor: ink('ink'), padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: ink('ink') },
  '.cm-gutters': { backgroundColor: 'transparent', color: ink('quiet'), border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': { backgroundColor: ink('line-now') },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: ink('selection') },
  '.cm-lintRange-error, .cm-lintRange-warning': { backgroundImage: 'none', textDecorationLine: 'underline', textDecorationStyle: 'wavy', textDecorationThickness: '1.5px', textUnderlineOffset: '3px' },
  '.cm-lintRange-error': { textDecorationColor: ink('refuse') },
  '.cm-lintRange-warning': { textDecorationColor: ink('confirm') },
  '.cm-tooltip': { backgroundColor: ink('raised'), color: ink('ink'), border: `1px solid ${ink('line')}`, borderRadius: '6px', boxShadow: ink('shadow') },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: ink('mono'), maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: ink('accent'), color: ink('on-accent') },
  '.cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail': { color: ink('on-accent') },
  '.cm-completionDetail': { color: ink('quiet'), fontStyle: 'normal', marginLeft: '1em' },
  '.cm-completionMatchedText': { textDecoration: 'underline' },
  '.cm-completionInfo': { padding: '6px 10px', maxWidth: '34ch', fontFamily: ink('sans') },
  '.cm-diagnostic-error': { borderLeftColor: ink('refuse') },
  '.cm-diagnostic-warning': { borderLeftColor: ink('confirm') },
  '.cm-panels': { backgroundColor: ink('raised'), color: ink('ink') },
  '.cm-matchingBracket, .cm-nonmatchingBracket': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-matchingBracket, &.cm-focused .cm-nonmatchingBracket': { backgroundColor: ink('selection') },
});
