let messageFrame, messageTimer;

/** Tells something in passing, for some seconds; what went wrong stays longer. */
function tell(text, isWrong = false) {
  const message = find("#message");
  message.textContent = text;
  message.classList.toggle("wrong", isWrong);
  cancelAnimationFrame(messageFrame);
  clearTimeout(messageTimer);
  // The seconds begin when it can be seen: a large drawing takes long to be painted.
  messageFrame = requestAnimationFrame(() => {
    messageFrame = requestAnimationFrame(() => {
      messageTimer = setTimeout(() => { message.textContent = ""; }, isWrong ? 12000 : 3000);
    });
  });
}

function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
