// Short ways to the parts of the page.

const root = document.documentElement;

function find(selector) {
  return document.querySelector(selector);
}

function findAll(selector) {
  return document.querySelectorAll(selector);
}
