(function () {
  "use strict";
  var MOST_SHOWN = 200;
  function of(id) { return document.getElementById(id); }
  var code = URL.createObjectURL(new Blob([of("worker").textContent], { type: "text/javascript" }));
  var worker = null;
  var UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

  function visible(value) {
    return String(value).slice(0, 2000).replace(UNPRINTABLE, function (found) {
      return "\\u" + found.codePointAt(0).toString(16).padStart(4, "0");
    });
  }
  function element(name, text, kind) {
    var made = document.createElement(name);
    if (text !== undefined) made.textContent = visible(text);
    if (kind) made.className = kind;
    return made;
  }
  function add(parent) {
    for (var at = 1; at < arguments.length; at++) parent.append(arguments[at]);
    return parent;
  }
  function word(kind, text) {
    return element("span", { good: "✓ ", bad: "✗ ", warn: "! " }[kind] + text, "word " + kind);
  }
  function counted(number, thing) {
    return number.toLocaleString("en") + " " + thing + (number === 1 ? "" : "s");
  }

  function check(files) {
    stop();
    of("result").replaceChildren();
    worker = new Worker(code);
    worker.onmessage = function (event) {
      var said = event.data;
      if (said.report !== undefined) {
        stop();
        show(JSON.parse(said.report));
      } else if (said.failure !== undefined) {
        stop();
        say("The check failed: " + said.failure);
      } else {
        of("progress").value = said.of ? said.bytes / said.of : 1;
        say((said.phase === "reading" ? "Reading " : "Judging ") + said.file + ": " +
          (said.bytes / 1e6).toFixed(1) + " of " + (said.of / 1e6).toFixed(1) + " MB, " + counted(said.items, "item"));
      }
    };
    worker.onerror = function (event) {
      stop();
      say("The check failed: " + (event.message || "the file is too large for this browser"));
    };
    of("stop").hidden = of("progress").hidden = false;
    of("progress").value = 0;
    say("Reading");
    worker.postMessage({ files: files, contract: of("contract").value || null });
  }
  function stop() {
    if (worker) worker.terminate();
    worker = null;
    of("stop").hidden = of("progress").hidden = true;
    say("");
  }
  function say(text) { of("status").textContent = visible(text); }

  function show(report) {
    var result = of("result");
    result.dataset.report = JSON.stringify(report);
    var counts = counted(report.items, "item") + " in " + counted(report.files.length, "file");
    var verdict = element("p", undefined, "card verdict " + (report.ok ? "good" : "bad"));
    add(verdict, element("strong", report.ok ? "✓" : "✗"),
      report.ok ? " ok: " + counts : " failed: " + counts + ", " + counted(report.errors, "error"));
    result.replaceChildren(verdict);
    if (report.unreadable.length) add(result, unreadable(report.unreadable));
    if (report.files.length) add(result, files(report.files));
    if (report.violations.length) add(result, findings(report));
    say(report.ok ? "The check is done: no errors." : "The check is done: " + counted(report.errors, "error") + ".");
  }
  function unreadable(found) {
    var list = element("ul");
    found.forEach(function (entry) {
      add(list, add(element("li"), word("bad", "error"), " " + visible(entry.file) + ": " + visible(entry.reason)));
    });
    return add(element("section", undefined, "card"), element("h2", "Not readable"), list);
  }
  function files(found) {
    var table = element("table"), head = element("tr"), body = element("tbody");
    [["File", "key"], ["Verdict"], ["Items", "n"], ["Errors", "n"], ["Advices", "n"], ["Checked against", "key"]]
      .forEach(function (column) {
        var cell = element("th", column[0], column[1]);
        cell.scope = "col";
        add(head, cell);
      });
    found.forEach(function (file) {
      var name = element("th", file.file, "key");
      name.scope = "row";
      var judged = Object.keys(file.contracts).map(function (contract) {
        return contract + " (" + counted(file.contracts[contract], "item") + ")";
      });
      add(body, add(element("tr"), name,
        add(element("td"), file.errors ? word("bad", "failed") : word("good", "ok")),
        element("td", file.items.toLocaleString("en"), "n"), element("td", file.errors.toLocaleString("en"), "n"),
        element("td", file.advices.toLocaleString("en"), "n"), element("td", judged.join(", ") || "nothing", "key")));
    });
    var scroll = add(element("div", undefined, "scroll"), add(table, add(element("thead"), head), body));
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", "Files");
    return add(element("section", undefined, "card"), element("h2", "Files"), scroll);
  }
  function findings(report) {
    var list = element("ol", undefined, "findings");
    report.violations.slice(0, MOST_SHOWN).forEach(function (found) {
      var item = element("li");
      var first = add(element("p"),
        element("span", found.file + (found.line === null ? "" : ":" + found.line + ":" + found.column), "place"),
        " ", word(found.severity === "error" ? "bad" : "warn", found.severity));
      if (found.item_id) add(first, element("span", " item ", "dim"), element("code", found.item_id));
      if (found.pointer) add(first, element("span", " at ", "dim"), element("code", found.pointer));
      add(item, first, add(element("p", found.message + " "), element("code", found.code)));
      if (found.hint) add(item, add(element("p"), element("span", "Way out: ", "dim"), visible(found.hint)));
      add(list, item);
    });
    var section = add(element("section", undefined, "card"), element("h2", "Findings"), list);
    var more = report.violations.length - MOST_SHOWN + report.unlisted;
    if (more > 0) add(section, element("p", "and " + more.toLocaleString("en") + " more", "dim"));
    return section;
  }

  function dropped(list) {
    var found = Array.prototype.map.call(list, function (file) { return { name: file.name, content: file }; });
    found.sort(function (a, b) { return a.name < b.name ? -1 : a.name > b.name ? 1 : 0; });
    if (found.length) check(found);
  }
  function kindOf(text) {
    if (of("kind").value) return of("kind").value;
    var lines = text.split("\n").filter(function (line) { return line.trim(); });
    try {
      JSON.parse(lines[0]);
      return lines.length > 1 ? "jsonl" : "json";
    } catch (error) {
      return "json";
    }
  }
  of("run").addEventListener("click", function () {
    var text = of("pasted").value;
    check([{ name: "pasted." + kindOf(text), content: new Blob([text]) }]);
  });
  of("stop").addEventListener("click", function () { stop(); say("Stopped."); });
  of("files").addEventListener("change", function (event) {
    dropped(event.target.files);
    event.target.value = ""; // so that the same file can be chosen again when it was mended
  });
  of("check").addEventListener("submit", function (event) { event.preventDefault(); });
  ["dragover", "drop"].forEach(function (kind) {
    document.addEventListener(kind, function (event) {
      event.preventDefault();
      if (kind === "drop" && event.dataTransfer) dropped(event.dataTransfer.files);
    });
  });
  of("check").hidden = false;
})();
