-- expect: {file}:5: the file runs longer than 0.5 s; look for a loop that does not end
-- exit: 3
-- seconds: 0.5
::again::
goto again
