// The table without loading whole pages. What a click does, and every word, is the page's own. All modules are named
// here, so that they come at once.
import "./page.js";
import "./sheet.js";
import "./call.js";
import "./news.js";
import "./deeds.js";
import "./board.js";
import "./orders.js";
