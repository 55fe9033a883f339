// SPDX-License-Identifier: Apache-2.0
// Tab moves through the results of a search, as the arrow keys do; the theme would close them. Escape closes them.
window.addEventListener('keydown', (event) => {
  const search = event.target.closest?.('[data-md-component=search]');
  if (event.key !== 'Tab' || !event.isTrusted || !search?.querySelector('.md-search-result__link'))
    return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const key = event.shiftKey ? 'ArrowUp' : 'ArrowDown';
  event.target.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
}, true);
