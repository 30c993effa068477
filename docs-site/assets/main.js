// Starts what the pages do with JavaScript. Each part looks for its own elements and does nothing without them.
import { addCopyButtons } from './copy.js'
import { startMenu, startTheme } from './menu.js'
import { showOwnIds } from './own-ids.js'
import { startSearch } from './search.js'
import { startExamples, startTabs } from './tabs.js'
import { startTryIt } from './try-it.js'

startMenu()
startTheme()
startExamples()
startTabs()
addCopyButtons(document)
startSearch()
showOwnIds()
startTryIt()
