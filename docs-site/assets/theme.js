// Applies the theme that the reader chose before the first paint. It is a classic script, because modules run too late.
try {
  const theme = localStorage.getItem('docs-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
} catch {
  // Storage is switched off: the theme of the system applies.
}
document.documentElement.classList.add('js')
