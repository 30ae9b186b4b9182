// Creates or shows a passkey when its button is pressed, and sends it with the form. All words are in the page.
"use strict";
(() => {
  const form = document.getElementById("passkey"), button = form.querySelector("button");
  const unready = document.getElementById("unready"), failed = document.getElementById("failed");
  const { deed, wanted } = form.dataset, proof = form.elements.proof;
  const read = deed === "create" ? "parseCreationOptionsFromJSON" : "parseRequestOptionsFromJSON";
  if (!window.PublicKeyCredential?.[read]) return;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = failed.hidden = true;
    try {
      const made = await navigator.credentials[deed]({ publicKey: PublicKeyCredential[read](JSON.parse(wanted)) });
      proof.value = JSON.stringify(made);
      form.submit();
    } catch {
      button.disabled = failed.hidden = false;
    }
  });

  unready.hidden = true;
  button.disabled = false;
})();
