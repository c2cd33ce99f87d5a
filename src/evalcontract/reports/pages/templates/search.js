(function () {
  "use strict";
  var form = document.getElementById("search");
  if (!form) return;
  var rows = Array.prototype.map.call(document.querySelectorAll("[data-words]"), function (row) {
    return { row: row, words: (row.textContent + " " + row.dataset.words).toLowerCase() };
  });
  var count = document.getElementById("count");
  function apply() {
    var wanted = form.elements.text.value.toLowerCase().split(/\s+/), shown = 0;
    rows.forEach(function (found) {
      var fits = wanted.every(function (word) { return found.words.indexOf(word) >= 0; });
      found.row.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    count.textContent = shown + " of " + rows.length + " shown";
  }
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  form.addEventListener("input", apply);
  form.addEventListener("reset", function () { setTimeout(apply, 0); });
  form.hidden = false;
  apply();
})();
