// Search without a server: where the site is opened as files, a browser starts no worker. So its script runs in a hidden
// frame instead, which has what the script needs of a worker: postMessage, importScripts, and messages of the page.
if (location.protocol === "file:") {
  globalThis.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #ready;

    constructor(url) {
      super();
      this.#frame.hidden = true;
      // Some browsers give a new frame another document once it has loaded.
      const loaded = new Promise((done) => this.#frame.addEventListener("load", done, { once: true }));
      document.documentElement.append(this.#frame);
      this.#ready = loaded.then(() => {
        const inside = this.#frame.contentWindow;
        inside.postMessage = (data) => this.#tell(data);
        inside.importScripts = (...urls) => Promise.all(urls.map((one) => this.#load(one)));
        return this.#load(url);
      });
    }

    postMessage(data) {
      const inside = this.#frame.contentWindow;
      this.#ready.then(() => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }

    terminate() {
      this.#frame.remove();
    }

    #load(url) {
      const script = this.#frame.contentDocument.createElement("script");
      script.src = url;
      this.#frame.contentDocument.head.append(script);
      return new Promise((done, failed) => {
        script.onload = done;
        script.onerror = failed;
      });
    }

    #tell(data) {
      this.dispatchEvent(new MessageEvent("message", { data }));
      this.onmessage?.({ data });
    }
  };
}
