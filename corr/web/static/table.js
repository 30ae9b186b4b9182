// The table without loading whole pages. What a click does, and every word, is the page's own. What is named here is
// served as one.
import "./page.js";
import "./sheet.js";
import "./call.js";
import "./news.js";
import "./deeds.js";
import "./board.js";
import "./orders.js";
import "./left.js";
