(function () {
  "use strict";
  var form = document.getElementById("filter");
  if (!form) return;
  var found = Array.prototype.map.call(document.querySelectorAll("li[data-code]"), function (li) {
    return { li: li, text: li.textContent.toLowerCase() };
  });
  var groups = document.querySelectorAll("details.group");
  var count = document.getElementById("count");
  function apply() {
    var text = form.elements.text.value.toLowerCase(), shown = 0;
    found.forEach(function (each) {
      var data = each.li.dataset;
      var fits = each.text.indexOf(text) >= 0 &&
        (!form.elements.file.value || data.file === form.elements.file.value) &&
        (!form.elements.code.value || data.code === form.elements.code.value);
      each.li.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    groups.forEach(function (group) {
      group.hidden = !group.querySelector("li[data-code]:not([hidden])");
    });
    count.textContent = shown + " of " + found.length + " findings shown";
  }
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  form.addEventListener("input", apply);
  form.addEventListener("reset", function () { setTimeout(apply, 0); });
  form.hidden = false;
  apply();
})();
